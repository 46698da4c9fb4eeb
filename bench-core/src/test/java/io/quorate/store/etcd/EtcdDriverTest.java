package io.quorate.store.etcd;

import io.quorate.cluster.RequiresDatabase;
import io.quorate.store.NetworkedConnectionContract;

@RequiresDatabase("etcd")
final class EtcdDriverTest extends NetworkedConnectionContract {
  EtcdDriverTest() {
    super(EtcdStore.STORE, false);
  }
}
