// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import io.quorate.cluster.RequiresDatabase;
import io.quorate.store.etcd.EtcdStore;

@RequiresDatabase("etcd")
final class EtcdFailoverIT extends FailoverContract {
  EtcdFailoverIT() {
    super(EtcdStore.STORE, false);
  }
}
