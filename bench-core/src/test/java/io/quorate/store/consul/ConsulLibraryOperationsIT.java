// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.consul;

import io.quorate.cluster.RequiresDatabase;
import io.quorate.store.OperationContract;
import io.quorate.store.StoreClient;

/** Holds the client of {@code -Dconsul.client=library} to the contract. */
@RequiresDatabase("consul")
final class ConsulLibraryOperationsIT extends OperationContract {
  ConsulLibraryOperationsIT() {
    super(ConsulStore.STORE, false);
  }

  @Override
  protected StoreClient startClient() {
    return ConsulStore.LIBRARY.start();
  }
}
