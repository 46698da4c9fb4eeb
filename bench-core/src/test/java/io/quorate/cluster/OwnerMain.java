// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import io.quorate.scenario.PowerCut;
import io.quorate.store.Store;
import io.quorate.stores.Stores;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** The owner of a cluster in a separate JVM, to be ended in various ways. */
final class OwnerMain {
  private OwnerMain() {}

  /**
   * Arguments: database, members, directory. Prints a line when the servers are ready; then waits
   * to be ended, or ends if there is a further argument. With "power", the power of its disks can
   * be cut.
   */
  public static void main(String... arguments) throws InterruptedException {
    boolean losesPower = arguments.length > 3 && arguments[3].equals("power");
    Optional<PowerCut> power = losesPower ? Optional.of(PowerCut.DEFAULT) : Optional.empty();
    Store database = Stores.byId(arguments[0]).orElseThrow();
    try (Cluster cluster =
        LocalCluster.start(
            database,
            Integer.parseInt(arguments[1]),
            Path.of(arguments[2]),
            TestSettings.withUsualEnd().withTaps(new ClusterSettings.Taps(false, false, power)))) {
      System.out.println(cluster.members().size() + " ready");
      if (arguments.length > 3 && !losesPower) {
        return;
      }
      new CountDownLatch(1).await();
    }
  }
}
