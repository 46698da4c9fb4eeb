// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import io.quorate.store.Store;
import io.quorate.stores.Stores;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** The owner of a cluster in a separate JVM, to be ended in various ways. */
final class OwnerMain {
  private OwnerMain() {}

  /**
   * Arguments: database, members, directory. Says so when the servers are ready; then waits to be
   * ended, or with "end" does so, or with "report" tells of a failure.
   */
  public static void main(String... arguments) throws InterruptedException {
    Store database = Stores.byId(arguments[0]).orElseThrow();
    try (Cluster cluster =
        LocalCluster.start(
            database,
            Integer.parseInt(arguments[1]),
            Path.of(arguments[2]),
            TestSettings.withUsualEnd())) {
      System.out.println(cluster.members().size() + " ready");
      if (arguments.length > 3 && arguments[3].equals("report")) {
        Await.until("a failure", Duration.ofMinutes(5), () -> !cluster.failures().isEmpty());
        System.out.println(cluster.failures());
        return;
      }
      if (arguments.length > 3) {
        return;
      }
      new CountDownLatch(1).await();
    }
  }
}
