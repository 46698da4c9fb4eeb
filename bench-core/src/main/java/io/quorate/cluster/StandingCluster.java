package io.quorate.cluster;

import java.util.List;

/**
 * A cluster that was left running: what its state file holds.
 *
 * @param database its id
 * @param directory where its logs and data are, absolute
 * @param members in the order of their index
 */
record StandingCluster(String database, String directory, List<Server> members) {
  /**
   * A member.
   *
   * @param startedMillis when its process started, in milliseconds since 1970 as the system tells:
   *     with the pid, this tells it from a stranger that got the pid later
   */
  record Server(
      int index, String name, String endpoint, long pid, long startedMillis, String log) {}

  StandingCluster {
    members = List.copyOf(members);
  }
}
