// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.consul;

import io.quorate.cluster.RequiresDatabase;
import io.quorate.store.OperationContract;

@RequiresDatabase("consul")
final class ConsulOperationsIT extends OperationContract {
  ConsulOperationsIT() {
    super(ConsulStore.STORE, false);
  }
}
