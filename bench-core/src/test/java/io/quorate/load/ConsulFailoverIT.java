// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import io.quorate.cluster.RequiresDatabase;
import io.quorate.store.consul.ConsulStore;

@RequiresDatabase("consul")
final class ConsulFailoverIT extends FailoverContract {
  ConsulFailoverIT() {
    super(ConsulStore.STORE, false);
  }
}
