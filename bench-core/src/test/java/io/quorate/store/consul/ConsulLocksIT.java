// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.consul;

import io.quorate.cluster.RequiresDatabase;
import io.quorate.store.LockContract;

@RequiresDatabase("consul")
final class ConsulLocksIT extends LockContract {
  ConsulLocksIT() {
    super(ConsulStore.STORE, "http", "library");
  }
}
