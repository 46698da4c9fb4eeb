// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import io.quorate.store.Endpoint;
import io.quorate.store.Login;
import io.quorate.store.Store;
import java.util.List;

/** The protocol of etcd, see {@link QuorateDsl#etcd}. Immutable. */
public final class EtcdProtocol extends StoreProtocol<EtcdProtocol> {
  EtcdProtocol(Store store, List<Endpoint> endpoints) {
    super(store, endpoints);
  }

  /** Sets the user and the password of all connections. */
  public EtcdProtocol credentials(String user, String password) {
    return with(copy -> copy.login = new Login.Password(user, password));
  }
}
