// SPDX-License-Identifier: Apache-2.0
package io.quorate.fault;

import io.quorate.QuorateException;
import io.quorate.cluster.Cluster;
import io.quorate.format.Problems;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What causes faults in a cluster.
 *
 * @param processes empty if Quorate did not start the members
 * @param network empty if there is no relay
 * @param begins runs on its own thread when a fault has begun
 * @param log receives what failed commands have written, which no file of the run may contain
 */
record FaultMeans(
    Cluster cluster,
    FaultCommands commands,
    Optional<ProcessFaults> processes,
    Optional<NetworkFaults> network,
    StopSignal stop,
    Runnable begins,
    Consumer<String> log) {
  /**
   * Lets all members run again, and restores their network.
   *
   * @return what failed; empty if nothing did
   */
  Optional<String> heal() {
    Problems problems = new Problems();
    processes.ifPresent(all -> problems.attempt(() -> all.heal(cluster.members())));
    network.ifPresent(all -> problems.attempt(all::end));
    try {
      problems.throwIfAny();
      return Optional.empty();
    } catch (QuorateException failure) {
      return Optional.of(failure.getMessage());
    }
  }
}
