package io.quorate.store.etcd;

import io.quorate.cluster.RequiresDatabase;
import io.quorate.store.Database;
import io.quorate.store.NetworkedDriverContract;

@RequiresDatabase(Database.ETCD)
final class EtcdDriverTest extends NetworkedDriverContract {
  EtcdDriverTest() {
    super(Database.ETCD, false);
  }
}
