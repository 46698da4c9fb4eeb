package io.quorate.cluster;

import io.quorate.store.Store;
import io.quorate.store.server.MemberAddress;
import java.nio.file.Path;
import java.util.List;

/**
 * Starts the servers of one local cluster, and retries with other ports if the first choice was
 * taken.
 */
public final class Startup {
  static final int ATTEMPTS = 5;

  private final Store database;
  private final int members;
  private final Ports ports;
  private final Launch launch;

  /**
   * @param directory absolute; gets {@code logs} and {@code data}
   * @param staying whether the servers may be left running
   */
  public Startup(
      Store database,
      int members,
      Path directory,
      ClusterSettings settings,
      Ports ports,
      boolean staying) {
    this.database = database;
    this.members = members;
    this.ports = ports;
    this.launch = new Launch(database, directory, settings, staying);
  }

  Store database() {
    return database;
  }

  /**
   * Starts the servers and returns them when they are ready.
   *
   * @throws io.quorate.QuorateException if one ends or they are not ready in time; none is left
   *     running then
   */
  public RunningServers run() {
    for (int attempt = 1; ; attempt++) {
      try {
        List<MemberAddress> addresses =
            launch.addresses(ports.choose(members, launch.portsPerMember()));
        return launch.all(addresses);
      } catch (PortTakenException taken) {
        if (!ports.canChooseAgain() || attempt == ATTEMPTS) {
          throw taken;
        }
      }
    }
  }
}
