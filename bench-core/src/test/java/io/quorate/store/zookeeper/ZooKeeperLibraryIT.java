// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import io.quorate.store.NetworkedConnectionContract;
import io.quorate.store.StoreClient;

/** Holds the client of {@code -Dzookeeper.client=zookeeper} to the contract. */
final class ZooKeeperLibraryIT extends NetworkedConnectionContract {
  ZooKeeperLibraryIT() {
    super(ZooKeeperStore.STORE, true);
  }

  @Override
  protected StoreClient startClient() {
    return ZooKeeperStore.STORE.client("zookeeper").start();
  }
}
