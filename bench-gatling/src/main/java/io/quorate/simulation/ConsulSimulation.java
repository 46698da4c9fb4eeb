package io.quorate.simulation;

import io.quorate.store.Database;

/** The load of a scenario on Consul. */
public final class ConsulSimulation extends DatabaseSimulation {
  public ConsulSimulation() {
    super(Database.CONSUL);
  }
}
