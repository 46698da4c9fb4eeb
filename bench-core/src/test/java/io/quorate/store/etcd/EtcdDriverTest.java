package io.quorate.store.etcd;

import io.quorate.cluster.RequiresDatabase;
import io.quorate.store.NetworkedDriverContract;

@RequiresDatabase("etcd")
final class EtcdDriverTest extends NetworkedDriverContract {
  EtcdDriverTest() {
    super(EtcdStore.STORE, false);
  }
}
