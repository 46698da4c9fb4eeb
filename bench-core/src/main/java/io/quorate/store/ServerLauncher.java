package io.quorate.store;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** How a server of one kind is run. */
public interface ServerLauncher {
  /** How many ports a server needs, that of its clients among them. */
  int portsPerServer();

  /**
   * The command line of a server. The data directory of its member is there, and is the working
   * directory.
   *
   * @param peers all of its kind that are to be started, this one among them
   */
  List<String> command(ServerPlan server, List<ServerPlan> peers) throws IOException;

  /** Takes out of a server's environment what must not reach it. */
  default void clean(Map<String, String> environment) {}
}
