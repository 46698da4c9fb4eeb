// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import io.quorate.cluster.RequiresDatabase;
import io.quorate.store.LockContract;

@RequiresDatabase("etcd")
final class EtcdLocksIT extends LockContract {
  EtcdLocksIT() {
    super(EtcdStore.STORE, "http2", "jetcd");
  }
}
