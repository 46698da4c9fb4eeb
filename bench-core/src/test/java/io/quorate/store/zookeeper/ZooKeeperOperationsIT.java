// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import io.quorate.store.OperationContract;

final class ZooKeeperOperationsIT extends OperationContract {
  ZooKeeperOperationsIT() {
    super(ZooKeeperStore.STORE, true);
  }
}
