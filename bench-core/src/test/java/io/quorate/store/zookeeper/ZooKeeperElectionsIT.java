// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import io.quorate.cluster.RequiresDatabase;
import io.quorate.store.DriverSettings;
import io.quorate.store.LockContract;
import io.quorate.store.Locks;
import io.quorate.store.StoreClient;
import java.time.Duration;
import java.util.List;

@RequiresDatabase("zookeeper")
final class ZooKeeperElectionsIT extends LockContract {
  ZooKeeperElectionsIT() {
    super(ZooKeeperStore.STORE, "curator");
  }

  @Override
  protected Locks start(StoreClient client, List<DriverSettings> members, Duration ttl) {
    return client.elections(members, ttl);
  }
}
