// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import io.quorate.cluster.RequiresDatabase;
import io.quorate.store.Security;
import io.quorate.store.consul.ConsulStore;

@RequiresDatabase("consul")
final class ConsulTlsDslIT extends DslContract {
  ConsulTlsDslIT() {
    super(ConsulStore.STORE, Security.TLS);
  }
}
