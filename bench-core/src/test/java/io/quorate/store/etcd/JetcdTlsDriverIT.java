// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import io.quorate.Nightly;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.store.NetworkedConnectionContract;
import io.quorate.store.Security;
import io.quorate.store.StoreClient;

/** The contract is kept over TLS by jetcd, too. */
@RequiresDatabase("etcd")
@Nightly // JetcdDriverIT and EtcdTlsDriverIT are the smaller ones
final class JetcdTlsDriverIT extends NetworkedConnectionContract {
  JetcdTlsDriverIT() {
    super(EtcdStore.STORE, false);
  }

  @Override
  protected Security security() {
    return Security.TLS;
  }

  @Override
  protected StoreClient startClient() {
    return JetcdDriver.client();
  }
}
