// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Runs a server of one kind. */
@FunctionalInterface
public interface ServerLauncher {
  /** Returns the number of ports that a server needs, including the port for clients. */
  default int portsPerServer() {
    return 1;
  }

  /** Returns the numbers of its ports, from 0, that also receive datagrams from peers. */
  default Set<Integer> datagramPorts() {
    return Set.of();
  }

  /**
   * Returns the command line of a server. The data directory of its member exists, and is the
   * working directory.
   *
   * @param peers all servers of its kind that are to be started, including this one
   */
  List<String> command(ServerPlan server, List<ServerPlan> peers) throws IOException;

  /**
   * Returns the command line of a server that joins running ones.
   *
   * @param peers all servers of its kind, including this one
   */
  default List<String> joinCommand(ServerPlan server, List<ServerPlan> peers) throws IOException {
    return command(server, peers);
  }

  /**
   * Returns the command line of a server that is a new cluster, with the data of a snapshot if
   * {@link Restoration#load} does not load it.
   *
   * @param running servers of its kind that run on this machine meanwhile
   * @param snapshot directory that {@link Restoration#save} has filled
   */
  default List<String> restoreCommand(ServerPlan server, List<ServerPlan> running, Path snapshot)
      throws IOException {
    return command(server, List.of(server));
  }

  /**
   * Makes what a running server reads from the files of its keys anew, after they were replaced.
   */
  default void renewed(ServerPlan server) throws IOException {}

  /** Removes variables from a server's environment that must not reach it. */
  default void clean(Map<String, String> environment) {}
}
