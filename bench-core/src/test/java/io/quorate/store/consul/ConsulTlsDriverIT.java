// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.consul;

import io.quorate.cluster.RequiresDatabase;
import io.quorate.store.NetworkedConnectionContract;
import io.quorate.store.Security;

/** The contract is kept over TLS, with a token. */
@RequiresDatabase("consul")
final class ConsulTlsDriverIT extends NetworkedConnectionContract {
  ConsulTlsDriverIT() {
    super(ConsulStore.STORE, false);
  }

  @Override
  protected Security security() {
    return Security.TLS;
  }
}
