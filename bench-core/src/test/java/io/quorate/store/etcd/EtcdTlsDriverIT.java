// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import io.quorate.cluster.RequiresDatabase;
import io.quorate.store.NetworkedConnectionContract;
import io.quorate.store.Security;

/** The contract is kept over TLS, by users with a password. */
@RequiresDatabase("etcd")
final class EtcdTlsDriverIT extends NetworkedConnectionContract {
  EtcdTlsDriverIT() {
    super(EtcdStore.STORE, false);
  }

  @Override
  protected Security security() {
    return Security.TLS;
  }
}
