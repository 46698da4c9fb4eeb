// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import io.quorate.store.Security;
import io.quorate.store.zookeeper.ZooKeeperStore;

final class ZooKeeperTlsDslIT extends DslContract {
  ZooKeeperTlsDslIT() {
    super(ZooKeeperStore.STORE, Security.TLS);
  }
}
