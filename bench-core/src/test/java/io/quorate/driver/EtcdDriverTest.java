package io.quorate.driver;

import io.quorate.cluster.RequiresDatabase;

@RequiresDatabase(Database.ETCD)
final class EtcdDriverTest extends NetworkedDriverContract {
  EtcdDriverTest() {
    super(Database.ETCD, false);
  }
}
