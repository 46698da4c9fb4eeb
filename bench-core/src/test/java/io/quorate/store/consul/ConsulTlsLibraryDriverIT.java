// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.consul;

import io.quorate.Nightly;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.store.NetworkedConnectionContract;
import io.quorate.store.Security;
import io.quorate.store.StoreClient;

/** The contract is kept over TLS by the client library, too. */
@RequiresDatabase("consul")
@Nightly // ConsulTlsDriverIT is the smaller one
final class ConsulTlsLibraryDriverIT extends NetworkedConnectionContract {
  ConsulTlsLibraryDriverIT() {
    super(ConsulStore.STORE, false);
  }

  @Override
  protected Security security() {
    return Security.TLS;
  }

  @Override
  protected StoreClient startClient() {
    return ConsulStore.LIBRARY.start();
  }
}
