package io.quorate.store.zookeeper;

import io.quorate.store.Access;
import io.quorate.store.Capabilities;
import io.quorate.store.ClientKind;
import io.quorate.store.Endpoint;
import io.quorate.store.Login;
import io.quorate.store.Operation;
import io.quorate.store.ReadConsistency;
import io.quorate.store.ReadGuarantee;
import io.quorate.store.RequestPath;
import io.quorate.store.RequestPaths;
import io.quorate.store.Setting;
import io.quorate.store.Store;
import io.quorate.store.WatchSupport;
import io.quorate.store.server.Licence;
import io.quorate.store.server.Program;
import io.quorate.store.server.ServerInternals;
import io.quorate.store.server.ServerKind;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Apache ZooKeeper: one version comes with Quorate, jars of others are installed. */
public final class ZooKeeperStore extends Store {
  private static final String PINGS =
      "a session of ZooKeeper is kept alive by pings, which its client library sends and hides";

  private static final Capabilities CAPABILITIES =
      new Capabilities(
          ZooKeeperDriver.OPERATIONS,
          Capabilities.RangeReads.NONE,
          Capabilities.ANY_NUMBER,
          Map.of(
              Operation.RANGE,
              "ZooKeeper lists the children of a node, and has no read of several values by"
                  + " prefix",
              Operation.COMPACT,
              "ZooKeeper keeps the last value of a key only",
              Operation.LEASE_GRANT,
              PINGS,
              Operation.LEASE_KEEPALIVE,
              PINGS));

  /** A sync asks the leader only, which answers without a majority. */
  private static final RequestPaths PATHS =
      new RequestPaths(
          new RequestPath(1, 1, true),
          Map.of(
              ReadConsistency.LINEARIZABLE,
              new RequestPath(1, 0, false),
              ReadConsistency.DEFAULT,
              RequestPath.OWN,
              ReadConsistency.STALE,
              RequestPath.OWN));

  private static final WatchSupport WATCHES =
      new WatchSupport(WatchSupport.Delivery.LATEST, WatchSupport.Delivery.EVERY_KEY, "");

  private static final String ID = "zookeeper";

  private static final String POM = "/META-INF/maven/org.apache.zookeeper/zookeeper/pom.properties";

  /** Versions whose jars are pinned in src/databases, besides the one that comes along. */
  private static final List<String> OTHER_VERSIONS = List.of("3.8.6", "3.7.2");

  private static final Pattern SNAPSHOTS = Pattern.compile("version-2/snapshot\\.[^/]+");

  public static final Store STORE = new ZooKeeperStore();

  private final ServerKind server;
  private final List<Store> versions;

  private ZooKeeperStore() {
    super(ID, "ZooKeeper");
    server = bundledServer();
    versions =
        Stream.concat(
                bundledVersion().stream()
                    .map(version -> new ZooKeeperStore(this, version, bundledServer())),
                OTHER_VERSIONS.stream()
                    .map(version -> new ZooKeeperStore(this, version, installedServer(version))))
            .<Store>map(store -> store)
            .toList();
  }

  private ZooKeeperStore(Store base, String version, ServerKind server) {
    super(base, version);
    this.server = server;
    this.versions = List.of();
  }

  private static ServerKind bundledServer() {
    return ServerKind.bundled(
        ID, ZooKeeperLauncher::of, new ZooKeeperProtocol(), new ZooKeeperLog());
  }

  private static ServerKind installedServer(String version) {
    return ServerKind.ofJars(
        Program.ofJars(ID, version, Licence.APACHE),
        ZooKeeperLauncher::of,
        new ZooKeeperProtocol(),
        new ZooKeeperLog());
  }

  @Override
  public List<Store> versions() {
    return versions;
  }

  @Override
  public List<ClientKind> clients() {
    return List.of(
        ZooKeeperDriver.kind(
            () -> ZooKeeperDriver.client(id(), NodeLayout.FLAT, CAPABILITIES, WATCHES)));
  }

  @Override
  public Capabilities capabilities() {
    return CAPABILITIES;
  }

  @Override
  public WatchSupport watches() {
    return WATCHES;
  }

  @Override
  public List<ServerKind> servers() {
    return List.of(server);
  }

  @Override
  public List<Setting> settings() {
    return ZooKeeperSettings.ALL;
  }

  @Override
  public ReadGuarantee guarantee(ReadConsistency consistency) {
    return switch (consistency) {
      case LINEARIZABLE -> ReadGuarantee.SYNCED_WITH_LEADER;
      case DEFAULT -> ReadGuarantee.STALE;
      case STALE -> ReadGuarantee.STALE;
    };
  }

  @Override
  public Optional<String> obstacleToTls() {
    return Optional.empty();
  }

  @Override
  public Login.Kind login() {
    return Login.Kind.PASSWORD;
  }

  @Override
  public Optional<RequestPaths> paths() {
    return Optional.of(PATHS);
  }

  @Override
  public Optional<ServerInternals> internals() {
    return Optional.of(new ZooKeeperInternals());
  }

  @Override
  public Optional<Pattern> snapshots() {
    return Optional.of(SNAPSHOTS);
  }

  /** Returns the command of ZooKeeper's own tool that removes all nodes below a prefix. */
  public static String removalCommand(Endpoint server, String prefix) {
    return "zkCli.sh -server %s deleteall /%s".formatted(server, prefix.replaceFirst("/$", ""));
  }

  @Override
  public Optional<String> removal(Endpoint server, Access access, String prefix) {
    return Optional.of(removalCommand(server, prefix));
  }

  @Override
  public Optional<Bundled> bundled() {
    return Optional.of(
        new Bundled(bundledVersion(), Licence.APACHE.id(), "its jars come with Quorate"));
  }

  private static Optional<String> bundledVersion() {
    try (InputStream in = ZooKeeperStore.class.getResourceAsStream(POM)) {
      if (in == null) {
        return Optional.empty();
      }
      Properties properties = new Properties();
      properties.load(in);
      return Optional.ofNullable(properties.getProperty("version"));
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }
}
