// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import io.quorate.store.Endpoint;
import io.quorate.store.Login;
import io.quorate.store.Store;
import java.util.List;

/** The protocol of Consul, see {@link QuorateDsl#consul}. Immutable. */
public final class ConsulProtocol extends StoreProtocol<ConsulProtocol> {
  ConsulProtocol(Store store, List<Endpoint> endpoints) {
    super(store, endpoints);
  }

  /** Sets the ACL token of all connections. */
  public ConsulProtocol token(String token) {
    return with(copy -> copy.login = new Login.Token(token));
  }
}
