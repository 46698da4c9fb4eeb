// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.server;

import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * Adds servers of one kind to a cluster that serves, and removes them. Each request has a time
 * limit, and goes to the leader. Any thread may call the methods, which block until the server has
 * answered.
 */
public interface Membership {
  /** What a server is in its cluster. */
  enum Role {
    ABSENT,
    /** It receives all changes, but does not count for a majority. */
    LEARNER,
    VOTER
  }

  /**
   * Announces a server that is about to start, if its cluster has to know it before.
   *
   * @throws IOException if the cluster refuses it, or does not answer
   */
  void admit(Endpoint member, ServerPlan joining, Access access, Duration timeout)
      throws IOException;

  /**
   * Returns what a server is in the cluster.
   *
   * @throws IOException if the cluster does not answer
   */
  Role role(Endpoint member, ServerPlan joining, Access access, Duration timeout)
      throws IOException;

  /**
   * Makes a learner a voter, if its cluster does not do that by itself.
   *
   * @throws IOException if the cluster refuses, for instance because it has not caught up
   */
  void promote(Endpoint member, ServerPlan joining, Access access, Duration timeout)
      throws IOException;

  /**
   * Removes a server before its process is ended, if its cluster has to be asked for that.
   *
   * @throws IOException if the cluster or the server refuses, or does not answer
   */
  void remove(Endpoint member, ServerPlan joining, Access access, Duration timeout)
      throws IOException;

  /** Returns the role that a server has at last. */
  default Role lastRole() {
    return Role.VOTER;
  }

  /**
   * Returns the size of a joined server's data in words; empty if it does not report one.
   *
   * @throws IOException if it does not answer
   */
  default Optional<String> size(ServerPlan joined, Access access, Duration timeout)
      throws IOException {
    return Optional.empty();
  }
}
