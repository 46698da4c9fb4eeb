package io.quorate.cluster;

import io.quorate.QuorateException;
import io.quorate.driver.Database;
import io.quorate.install.Program;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** How a server of one store is run. */
interface ServerLauncher {
  /** How many ports a member needs, that of its clients among them. */
  int portsPerMember();

  /**
   * The command line of a member. Its data directory is there, and is the working directory.
   *
   * @param members all that are to be started, this one among them
   */
  List<String> command(MemberPlan member, List<MemberPlan> members) throws IOException;

  /** Takes out of a server's environment what must not reach it. */
  default void clean(Map<String, String> environment) {}

  /** That of a store which has servers; fails when its program is not there. */
  static ServerLauncher of(Database database, ClusterSettings settings) {
    return switch (database) {
      case ETCD -> new EtcdLauncher(settings.installation().require(Program.ETCD));
      case ZOOKEEPER -> ZooKeeperLauncher.ofThisJvm();
      case CONSUL, ZETCD, CETCD -> throw new QuorateException("not yet: servers of " + database);
      case MEMORY -> throw new IllegalArgumentException("there are no servers of " + database);
    };
  }
}
