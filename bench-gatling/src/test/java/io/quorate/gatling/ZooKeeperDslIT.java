// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import io.quorate.store.Security;
import io.quorate.store.zookeeper.ZooKeeperStore;

final class ZooKeeperDslIT extends DslContract {
  ZooKeeperDslIT() {
    super(ZooKeeperStore.STORE, Security.NONE);
  }
}
