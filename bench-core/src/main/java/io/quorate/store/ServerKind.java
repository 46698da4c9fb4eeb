package io.quorate.store;

import io.quorate.cluster.ClusterSettings;
import io.quorate.store.cetcd.CetcdProtocol;
import io.quorate.store.consul.ConsulLauncher;
import io.quorate.store.consul.ConsulProtocol;
import io.quorate.store.etcd.EtcdLauncher;
import io.quorate.store.etcd.EtcdProtocol;
import io.quorate.store.zetcd.ZetcdProtocol;
import io.quorate.store.zookeeper.ZooKeeperLauncher;
import io.quorate.store.zookeeper.ZooKeeperProtocol;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/** The programs that members are made of: how each is run, and how it is asked. */
public enum ServerKind {
  ETCD("etcd", new EtcdProtocol(), from(Program.ETCD, EtcdLauncher::new)),
  ZOOKEEPER("zookeeper", new ZooKeeperProtocol(), settings -> ZooKeeperLauncher.ofThisJvm()),
  CONSUL("consul", new ConsulProtocol(), from(Program.CONSUL, ConsulLauncher::new)),
  ZETCD("zetcd", new ZetcdProtocol(), from(Program.ZETCD, ShimLauncher::zetcd)),
  CETCD("cetcd", new CetcdProtocol(), from(Program.CETCD, ShimLauncher::cetcd));

  private final String id;
  private final ServerProtocol protocol;
  private final Function<ClusterSettings, ServerLauncher> launcher;

  ServerKind(
      String id, ServerProtocol protocol, Function<ClusterSettings, ServerLauncher> launcher) {
    this.id = id;
    this.protocol = protocol;
    this.launcher = launcher;
  }

  /**
   * The servers that one member of a database consists of: first the one that clients connect to,
   * then the one that it stands in front of. The last stores the data, and says who leads.
   */
  public static List<ServerKind> of(Database database) {
    return switch (database) {
      case ETCD -> List.of(ETCD);
      case ZOOKEEPER -> List.of(ZOOKEEPER);
      case CONSUL -> List.of(CONSUL);
      case ZETCD -> List.of(ZETCD, ETCD);
      case CETCD -> List.of(CETCD, ETCD);
      case MEMORY -> throw new IllegalArgumentException("there are no servers of " + database);
    };
  }

  /** What its servers and their logs are called, without their number. */
  public String id() {
    return id;
  }

  public ServerProtocol protocol() {
    return protocol;
  }

  /**
   * How it is run here.
   *
   * @throws io.quorate.QuorateException if its program is not there
   */
  public ServerLauncher launcher(ClusterSettings settings) {
    return launcher.apply(settings);
  }

  private static Function<ClusterSettings, ServerLauncher> from(
      Program program, Function<Path, ServerLauncher> launcher) {
    return settings -> launcher.apply(settings.installation().require(program));
  }
}
