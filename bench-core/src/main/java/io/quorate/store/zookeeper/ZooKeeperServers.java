package io.quorate.store.zookeeper;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.Setting;
import io.quorate.store.Store;
import io.quorate.store.server.LogRule;
import io.quorate.store.server.Program;
import io.quorate.store.server.ServerInternals;
import io.quorate.store.server.ServerKind;
import io.quorate.store.server.ServerLog;
import io.quorate.store.server.ServerProtocol;
import io.quorate.store.server.StoreServers;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
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
                .map(each -> new ZooKeeperServers(ZooKeeperStore.STORE.inVersion(each), bundledServer())),
            OTHER_VERSIONS.stream()
                .map(
                    each ->
                        new ZooKeeperServers(ZooKeeperStore.STORE.inVersion(each), installedServer(each))))
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

  /**
   * Asks ZooKeeper with the four-letter word {@code srvr}, which is allowed unless forbidden; a
   * server without a quorum answers it without a mode.
   */
  public static final class ZooKeeperProtocol implements ServerProtocol {
    /** Time limit for a session with a server that answers: a TLS handshake and a quorum. */
    private static final Duration SESSION_LIMIT = Duration.ofSeconds(10);

    private static final Pattern VERSION = Pattern.compile("(?m)^Zookeeper version: ([^-,\\s]+)");
    private static final Pattern MODE = Pattern.compile("(?m)^Mode: (\\S+)");

    @Override
    public ServerProtocol.State ask(Endpoint endpoint, Access access, Duration timeout)
        throws IOException {
      return parsed(FourLetterWord.SRVR.ask(endpoint, access, timeout));
    }

    /**
     * Opens a session and writes nothing: whether we may create nodes turns out when a run creates
     * those of its prefix.
     */
    @Override
    public Optional<String> obstacle(Endpoint endpoint, Access access, Duration timeout)
        throws IOException {
      try (ZooKeeperAccess in = ZooKeeperAccess.of(access);
          ZooKeeperSession session =
              ZooKeeperSession.open("zookeeper", endpoint, in, SESSION_LIMIT)) {
        session.requireHandle();
        return Optional.empty();
      } catch (QuorateException noSession) {
        throw new IOException(noSession.getMessage(), noSession);
      }
    }

    public static ServerProtocol.State parsed(String answer) throws IOException {
      Matcher version = VERSION.matcher(answer);
      Matcher mode = MODE.matcher(answer);
      if (!version.find()) {
        if (answer.contains("not currently serving requests")) {
          return new ServerProtocol.State("", false, false, answer.strip());
        }
        throw new IOException(
            answer.isBlank()
                ? "does not answer to srvr"
                : "answers to srvr: " + VisibleText.line(answer.strip()));
      }
      if (!mode.find()) {
        return new ServerProtocol.State(version.group(1), false, false, "no mode");
      }
      boolean leads = mode.group(1).equals("leader") || mode.group(1).equals("standalone");
      return new ServerProtocol.State(version.group(1), true, leads, "mode: " + mode.group(1));
    }
  }
}
