// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import io.quorate.MemoryBackedDirectory;
import io.quorate.install.DirectoryTree;
import io.quorate.store.Security;
import io.quorate.store.Store;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Clusters that the tests of a JVM share. Each starts when it is first needed and ends with the
 * JVM, so tests neither close nor damage it, and use keys that no other test uses.
 */
public final class SharedCluster {
  private record Kind(Store store, int members, Security security) {}

  private static final Map<Kind, Cluster> RUNNING = new HashMap<>();

  private SharedCluster() {}

  /**
   * Returns the cluster of this kind, with all of its servers running.
   *
   * @throws AssertionError if an earlier test has closed it or ended one of its servers
   */
  public static synchronized Cluster of(Store store, int members, Security security) {
    Kind kind = new Kind(store, members, security);
    Cluster cluster = RUNNING.computeIfAbsent(kind, SharedCluster::start);
    boolean alive =
        cluster.members().stream()
            .flatMap(member -> member.pids().stream())
            .allMatch(pid -> ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent());
    if (!alive || !cluster.failures().isEmpty()) {
      throw new AssertionError(
          "an earlier test has ended servers of %s: %s".formatted(kind, cluster.failures()));
    }
    return cluster;
  }

  /** Returns a cluster of one member, in plain text. */
  public static Cluster of(Store store) {
    return of(store, 1, Security.NONE);
  }

  private static Cluster start(Kind kind) {
    if (!kind.store().hasServers()) {
      return TestServers.start(kind.store(), kind.members(), Path.of(""));
    }
    Path directory = directory();
    try {
      Cluster cluster = TestServers.start(kind.store(), kind.members(), directory, kind.security());
      Runtime.getRuntime().addShutdownHook(new Thread(() -> end(cluster, directory)));
      return cluster;
    } catch (RuntimeException failure) {
      new DirectoryTree(directory).remove();
      throw failure;
    }
  }

  /** Waits for the hook of the cluster itself, which may already be stopping the servers. */
  private static void end(Cluster cluster, Path directory) {
    cluster.close();
    new DirectoryTree(directory).remove();
  }

  private static Path directory() {
    try {
      return MemoryBackedDirectory.create("quorate-shared-");
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
