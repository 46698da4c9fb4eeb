// SPDX-License-Identifier: Apache-2.0
package io.quorate.simulation;

import io.quorate.store.memory.MemoryStore;

/** Runs the load of a scenario on the map in the load generator's own process. */
public final class InMemorySimulation extends DatabaseSimulation {
  public InMemorySimulation() {
    super(MemoryStore.STORE);
  }
}
