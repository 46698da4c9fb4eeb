package io.quorate.simulation;

import io.quorate.store.etcd.EtcdStore;

/** The load of a scenario on etcd. */
public final class EtcdSimulation extends DatabaseSimulation {
  public EtcdSimulation() {
    super(EtcdStore.STORE);
  }
}
