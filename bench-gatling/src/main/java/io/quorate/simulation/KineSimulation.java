// SPDX-License-Identifier: Apache-2.0
package io.quorate.simulation;

import io.quorate.store.kine.KineStore;

/**
 * Runs the load of a scenario on kine, which speaks etcd's protocol in front of a database of SQL.
 */
public final class KineSimulation extends DatabaseSimulation {
  public KineSimulation() {
    super(KineStore.STORE);
  }
}
