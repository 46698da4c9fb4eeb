// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import io.quorate.cluster.RequiresDatabase;
import io.quorate.store.OperationContract;

@RequiresDatabase("etcd")
final class EtcdOperationsIT extends OperationContract {
  EtcdOperationsIT() {
    super(EtcdStore.STORE, false);
  }
}
