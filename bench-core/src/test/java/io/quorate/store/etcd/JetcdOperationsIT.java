// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import io.quorate.cluster.RequiresDatabase;
import io.quorate.store.OperationContract;
import io.quorate.store.StoreClient;

/** Holds the client of {@code -Detcd.client=jetcd} to the contract. */
@RequiresDatabase("etcd")
final class JetcdOperationsIT extends OperationContract {
  JetcdOperationsIT() {
    super(EtcdStore.STORE, false);
  }

  @Override
  protected StoreClient startClient() {
    return EtcdStore.STORE.client("jetcd").start();
  }

  @Override
  protected boolean streamsRanges() {
    return false;
  }
}
