package io.quorate.store.zookeeper;

import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.Setting;
import io.quorate.store.Store;
import io.quorate.store.server.LogRule;
import io.quorate.store.server.Program;
import io.quorate.store.server.ServerInternals;
import io.quorate.store.server.ServerKind;
import io.quorate.store.server.ServerLog;
import io.quorate.store.server.StoreServers;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The servers of ZooKeeper: one version comes with Quorate, jars of others are installed. */
public record ZooKeeperServers(Store store, ServerKind server) implements StoreServers {
  private static final String ID = "zookeeper";

  private static final List<LogRule> LOG_RULES =
      List.of(
          LogRule.becameLeader("LEADING - LEADER ELECTION TOOK"),
          LogRule.trouble("FOLLOWING - LEADER ELECTION TOOK"),
          LogRule.trouble("fsync-ing the write ahead log .* took"),
          LogRule.trouble("Exception when following the leader"),
          LogRule.trouble("Unexpected exception .* shutting down|Shutdown called"),
          LogRule.trouble("Too many connections"),
          LogRule.trouble("Outstanding request limit|Throttl"),
          LogRule.trouble("Detected pause in JVM"),
          LogRule.trouble("Snapshotting:"));

  private static final String POM = "/META-INF/maven/org.apache.zookeeper/zookeeper/pom.properties";

  /** Versions whose jars are pinned in src/databases, besides the one that comes along. */
  private static final List<String> OTHER_VERSIONS = List.of("3.8.6", "3.7.2");

  private static final Pattern SNAPSHOTS = Pattern.compile("version-2/snapshot\\.[^/]+");

  private static final long KIB = 1 << 10;
  private static final long MIB = 1 << 20;
  private static final long GIB = 1 << 30;

  static final Setting HEAP = Setting.bytes("heap", 64 * MIB, 1024 * GIB, "-Xms{} -Xmx{}");

  /** What begins with a dash is for the JVM, the others are lines of zoo.cfg. */
  static final List<Setting> SETTINGS =
      List.of(
          HEAP,
          Setting.millis("tickTime", 10, 60_000, "tickTime={}").orElse(2000),
          Setting.count("initLimit", 1, 10_000, "initLimit={}").orElse(10),
          Setting.count("syncLimit", 1, 10_000, "syncLimit={}").orElse(5),
          Setting.count("snapCount", 2, 1_000_000_000, "-Dzookeeper.snapCount={}"),
          Setting.bytes("jute.maxbuffer", 64 * KIB, GIB, "-Djute.maxbuffer={}"),
          Setting.bytes("preAllocSize", KIB, GIB, "-Dzookeeper.preAllocSize={KiB}"),
          Setting.millis(
              "fsync-warning-threshold", 1, 3_600_000, "-Dzookeeper.fsync.warningthresholdms={}"));

  /** The servers that come with Quorate. */
  public static final StoreServers SERVERS =
      new ZooKeeperServers(ZooKeeperStore.STORE, bundledServer());

  private static ServerKind bundledServer() {
    return ServerKind.bundled(
        ID, ZooKeeperLauncher::of, new ZooKeeperProtocol(), new ServerLog.Timed(LOG_RULES));
  }

  private static ServerKind installedServer(String version) {
    return ServerKind.ofJars(
        Program.ofJars(ID, version, Program.Licence.APACHE),
        ZooKeeperLauncher::of,
        new ZooKeeperProtocol(),
        new ServerLog.Timed(LOG_RULES));
  }

  @Override
  public List<ServerKind> kinds() {
    return List.of(server);
  }

  @Override
  public List<StoreServers> versions() {
    return Stream.<StoreServers>concat(
            bundledVersion().stream()
                .map(each -> new ZooKeeperServers(ZooKeeperStore.version(each), bundledServer())),
            OTHER_VERSIONS.stream()
                .map(
                    each ->
                        new ZooKeeperServers(ZooKeeperStore.version(each), installedServer(each))))
        .toList();
  }

  @Override
  public List<Setting> settings() {
    return SETTINGS;
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
        new Bundled(bundledVersion(), Program.Licence.APACHE.id(), "its jars come with Quorate"));
  }

  private static Optional<String> bundledVersion() {
    try (InputStream in = ZooKeeperServers.class.getResourceAsStream(POM)) {
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
