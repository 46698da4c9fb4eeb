// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.server;

import java.io.IOException;
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
   * Makes what a running server reads from the files of its keys anew, after they were replaced.
   */
  default void renewed(ServerPlan server) throws IOException {}

  /** Removes variables from a server's environment that must not reach it. */
  default void clean(Map<String, String> environment) {}
}
