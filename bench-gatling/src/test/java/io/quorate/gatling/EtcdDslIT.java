// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import io.quorate.cluster.RequiresDatabase;
import io.quorate.store.Security;
import io.quorate.store.etcd.EtcdStore;

@RequiresDatabase("etcd")
final class EtcdDslIT extends DslContract {
  EtcdDslIT() {
    super(EtcdStore.STORE, Security.NONE);
  }
}
