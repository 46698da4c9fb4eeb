// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import io.quorate.store.NetworkedConnectionContract;
import io.quorate.store.Security;

/** The contract is kept over TLS, with a certificate and a password. */
final class ZooKeeperTlsDriverIT extends NetworkedConnectionContract {
  ZooKeeperTlsDriverIT() {
    super(ZooKeeperStore.STORE, true);
  }

  @Override
  protected Security security() {
    return Security.TLS;
  }
}
