// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import io.quorate.cluster.RequiresDatabase;
import io.quorate.store.NetworkedConnectionContract;

@RequiresDatabase("etcd")
final class EtcdDriverIT extends NetworkedConnectionContract {
  EtcdDriverIT() {
    super(EtcdStore.STORE, false);
  }
}
