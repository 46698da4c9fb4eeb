// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import io.quorate.cluster.RequiresDatabase;
import io.quorate.store.Security;
import io.quorate.store.etcd.EtcdStore;

@RequiresDatabase("etcd")
final class EtcdTlsDslIT extends DslContract {
  EtcdTlsDslIT() {
    super(EtcdStore.STORE, Security.TLS);
  }
}
