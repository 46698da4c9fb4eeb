// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.Setting;
import io.quorate.store.Store;
import io.quorate.store.server.JavaRuntime;
import io.quorate.store.server.LogEvent;
import io.quorate.store.server.LogRule;
import io.quorate.store.server.MemberKeys;
import io.quorate.store.server.Program;
import io.quorate.store.server.ServerInternals;
import io.quorate.store.server.ServerKind;
import io.quorate.store.server.ServerKnowledge;
import io.quorate.store.server.ServerLauncher;
import io.quorate.store.server.ServerLog;
import io.quorate.store.server.ServerPlan;
import io.quorate.store.server.StallCause;
import io.quorate.store.server.StoreServers;
import io.quorate.tls.PrivateFiles;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The servers of ZooKeeper: one version is bundled with Quorate, jars of others are installed. */
public record ZooKeeperServers(Store store, List<ServerKind> kinds) implements StoreServers {
  private static final String ID = "zookeeper";
  private static final String PROVIDER = "metricsProvider";

  private static final List<LogRule> LOG_RULES =
      List.of(
          LogRule.becameLeader("LEADING - LEADER ELECTION TOOK"),
          LogRule.trouble(StallCause.LEADER_CHANGE, "FOLLOWING - LEADER ELECTION TOOK"),
          LogRule.trouble(
              StallCause.LOG_SYNC, "fsync-ing the write ahead log .* took (?<ms>\\d+) ?ms"),
          LogRule.trouble(StallCause.NETWORK, "Exception when following the leader"),
          LogRule.trouble("Unexpected exception .* shutting down|Shutdown called"),
          LogRule.trouble(StallCause.LIMIT, "Too many connections"),
          LogRule.trouble(StallCause.LIMIT, "Outstanding request limit|Throttl"),
          LogRule.trouble(
              StallCause.JVM_PAUSE, "Detected pause in JVM .*approximately (?<ms>\\d+) ?ms"),
          // of 10 ms or more
          LogRule.trouble(StallCause.SERVER_GC, "GC\\(\\d+\\) Pause .* (?<ms>\\d{2,}\\.\\d+)ms"),
          LogRule.trouble(StallCause.SNAPSHOT, "Snapshotting:"));

  private static final String POM = "/META-INF/maven/org.apache.zookeeper/zookeeper/pom.properties";

  /** Versions whose jars are pinned in src/databases, in addition to the included one. */
  private static final List<String> OTHER_VERSIONS =
      List.of("3.9.3", "3.8.6", "3.7.2", "3.6.4", "3.5.10");

  private static final long KIB = 1 << 10;
  private static final long MIB = 1 << 20;
  private static final long GIB = 1 << 30;

  private static final Setting HEAP = Setting.bytes("heap", 64 * MIB, 1024 * GIB, "-Xms{} -Xmx{}");

  private static final Setting LARGEST_REQUEST =
      Setting.bytes("jute.maxbuffer", 64 * KIB, GIB, "-Djute.maxbuffer={}")
          .withDefaultOfServers(MIB - 1);

  static final Setting TICK = Setting.millis("tickTime", 10, 60_000, "tickTime={}").orElse(2000);
  static final Setting INIT = Setting.count("initLimit", 1, 10_000, "initLimit={}").orElse(10);
  static final Setting SYNC = Setting.count("syncLimit", 1, 10_000, "syncLimit={}").orElse(5);

  /** The metrics provider; {@code stock} is ZooKeeper's default one. */
  private static final Setting METRICS =
      Setting.name("metricsProvider", PROVIDER + "={}", "quorate", "stock").orElse(0);

  /** The settings: those with a leading dash are for the JVM, the others are lines of zoo.cfg. */
  private static final List<Setting> SETTINGS =
      List.of(
          HEAP,
          TICK,
          INIT,
          SYNC,
          Setting.count("snapCount", 2, 1_000_000_000, "-Dzookeeper.snapCount={}"),
          LARGEST_REQUEST,
          Setting.bytes("preAllocSize", KIB, GIB, "-Dzookeeper.preAllocSize={KiB}"),
          Setting.millis(
                  "fsync-warning-threshold",
                  1,
                  3_600_000,
                  "-Dzookeeper.fsync.warningthresholdms={}")
              // ZooKeeper's default of a second would hide what slows down hundreds of requests
              .orElse(20),
          // the default limit of 60 per address would end a ramp at 60 connections
          Setting.count("maxClientCnxns", 1, 1_000_000, "maxClientCnxns={}").orElse(0),
          Setting.count(
              "globalOutstandingLimit", 1, 1_000_000_000, "-Dzookeeper.globalOutstandingLimit={}"),
          Setting.count(
              "commitProcessor.numWorkerThreads",
              0,
              1024,
              "-Dzookeeper.commitProcessor.numWorkerThreads={}"),
          Setting.name("collector", "-XX:+Use{}GC", "G1", "Parallel", "Serial", "Z"),
          METRICS,
          Setting.name("forceSync", "-Dzookeeper.forceSync={}", "yes", "no").unsafeIfLast());

  public static final StoreServers SERVERS =
      new ZooKeeperServers(ZooKeeperStore.STORE, server(Optional.empty()));

  /** Returns a server that runs from the jars of a program, otherwise from Quorate's jars. */
  private static List<ServerKind> server(Optional<Program> jars) {
    return List.of(
        new ServerKind(
            ID,
            jars,
            new ZooKeeperProtocol(ZooKeeperProtocol.Product.ZOOKEEPER),
            new Log(),
            found ->
                Launcher.of(
                    jars.map(each -> found.java().withJarsBeside(found.require(each)))
                        .orElseGet(found::java))));
  }

  private static StoreServers version(String version, Optional<Program> jars) {
    return new ZooKeeperServers(ZooKeeperStore.STORE.inVersion(version), server(jars));
  }

  @Override
  public List<StoreServers> versions() {
    return Stream.concat(
            bundledVersion().stream().map(each -> version(each, Optional.empty())),
            OTHER_VERSIONS.stream()
                .map(each -> Program.ofJars(ID, each, Program.Licence.APACHE))
                .map(each -> version(each.version(), Optional.of(each))))
        .toList();
  }

  @Override
  public List<Setting> settings() {
    return SETTINGS;
  }

  @Override
  public Optional<Setting> sizeLimit() {
    return Optional.of(LARGEST_REQUEST);
  }

  @Override
  public Optional<ServerInternals> internals() {
    return Optional.of(new ZooKeeperInternals());
  }

  @Override
  public ServerKnowledge knowledge() {
    return new ZooKeeperKnowledge();
  }

  @Override
  public Optional<Pattern> snapshots() {
    return Optional.of(Pattern.compile("version-2/snapshot\\.[^/]+"));
  }

  @Override
  public boolean hasPaths() {
    return true;
  }

  @Override
  public Optional<String> removal(Endpoint server, Access access, String prefix) {
    String removal = "deleteall /" + prefix.replaceFirst("/$", "");
    return Optional.of(ZooKeeperAccess.shell(server, access, removal));
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

  /** Reads ZooKeeper's log, and what its JVM logs about garbage collections in between. */
  private static final class Log implements ServerLog {
    private static final Pattern COLLECTION =
        Pattern.compile("\\[([0-9T:.+-]+)] (GC\\(\\d+\\) .*)");

    private final ServerLog lines = new ServerLog.Timed(LOG_RULES);

    @Override
    public List<LogRule> rules() {
      return lines.rules();
    }

    @Override
    public Optional<LogEvent> event(String line) {
      Matcher collection = COLLECTION.matcher(line);
      return collection.matches()
          ? Optional.of(
              new LogEvent(
                  LogEvent.Severity.INFO,
                  LogEvent.time(collection.group(1)),
                  collection.group(2),
                  false))
          : lines.event(line);
    }
  }

  /** Runs ZooKeeper: one JVM for a member, ports for clients, for the quorum and for elections. */
  public record Launcher(Path java, String classPath) implements ServerLauncher {
    private static final String LOGGING =
        """
        <configuration>
          <appender name="log" class="ch.qos.logback.core.ConsoleAppender">
            <encoder>
              <pattern>%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level [%thread] %logger{0}: %msg%n</pattern>
            </encoder>
          </appender>
          <logger name="org.apache.zookeeper.server.persistence.FileTxnSnapLog" level="INFO"/>
          <root level="WARN">
            <appender-ref ref="log"/>
          </root>
        </configuration>
        """;

    /** The logging settings for ZooKeeper 3.7, which logs through reload4j. */
    private static final String EARLIER_LOGGING =
        """
        log4j.rootLogger=WARN, log
        log4j.logger.org.apache.zookeeper.server.persistence.FileTxnSnapLog=INFO
        log4j.appender.log=org.apache.log4j.ConsoleAppender
        log4j.appender.log.layout=org.apache.log4j.PatternLayout
        log4j.appender.log.layout.ConversionPattern=%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5p [%t] %c{1}: %m%n
        """;

    /**
     * Heap size as a percentage of a machine's memory: ZooKeeper keeps all data in its heap, some
     * gigabytes for a million keys.
     */
    private static final double HEAP_PERCENT_OF_A_MACHINE = 50;

    static Launcher of(JavaRuntime java) {
      return new Launcher(java.executable(), ServerClassPath.of(java.classPath()));
    }

    @Override
    public int portsPerServer() {
      return 3;
    }

    @Override
    public List<String> command(ServerPlan server, List<ServerPlan> peers) throws IOException {
      return command(server, peers, settings(server, peers));
    }

    /** Starts an observer: the members learn about it when it connects to them. */
    @Override
    public List<String> joinCommand(ServerPlan server, List<ServerPlan> peers) throws IOException {
      Properties settings = settings(server, peers);
      settings.put("peerType", "observer");
      settings.computeIfPresent("server." + server.index(), (key, own) -> own + ":observer");
      return command(server, peers, settings);
    }

    /** Starts a server without an ensemble, which shares the memory with those that run. */
    @Override
    public List<String> restoreCommand(ServerPlan server, List<ServerPlan> running, Path snapshot)
        throws IOException {
      ZooKeeperRestoration.copy(snapshot, server.data());
      List<ServerPlan> beside = new ArrayList<>(running);
      beside.add(server);
      return command(server, beside, settings(server, List.of(server)));
    }

    private List<String> command(ServerPlan server, List<ServerPlan> peers, Properties content)
        throws IOException {
      Path settings = server.data().resolve("zoo.cfg");
      Files.writeString(server.data().resolve("myid"), server.index() + "\n");
      try (OutputStream out = Files.newOutputStream(settings)) {
        content.store(out, null);
      }
      List<String> command = new ArrayList<>(List.of(java.toString()));
      if (!server.settings().has(HEAP)) {
        long membersHere =
            peers.stream().filter(each -> each.address().isBeside(server.address())).count();
        command.add("-XX:MaxRAMPercentage=" + HEAP_PERCENT_OF_A_MACHINE / membersHere);
      }
      given(server).filter(each -> each.startsWith("-")).forEach(command::add);
      if (isRelayed(peers)) {
        command.add(names(server, peers));
      }
      command.addAll(
          List.of(
              "-XX:+ExitOnOutOfMemoryError",
              "-Xlog:gc:stdout:time",
              "-Djava.awt.headless=true",
              logging(server.data()),
              "-cp",
              ServerMetrics.location()
                  .map(ours -> classPath + File.pathSeparator + ours)
                  .orElse(classPath),
              "org.apache.zookeeper.server.quorum.QuorumPeerMain",
              settings.toString()));
      return command;
    }

    private String logging(Path data) throws IOException {
      boolean earlier = classPath.contains("/reload4j-");
      Path settings = data.resolve(earlier ? "log4j.properties" : "logback.xml");
      Files.writeString(settings, earlier ? EARLIER_LOGGING : LOGGING);
      String property = earlier ? "-Dlog4j.configuration=" : "-Dlogback.configurationFile=";
      return property + settings.toUri();
    }

    /** Returns the settings, for the JVM if they begin with a dash, otherwise for zoo.cfg. */
    private static Stream<String> given(ServerPlan server) {
      return server.settings().rendered(SETTINGS).stream();
    }

    private static Properties settings(ServerPlan server, List<ServerPlan> peers)
        throws IOException {
      Properties settings = new Properties();
      settings.put("dataDir", server.data().toString());
      settings.put("admin.enableServer", "false");
      settings.put("4lw.commands.whitelist", "*");
      // nodes with a TTL; does not change others
      settings.put("extendedTypesEnabled", "true");
      // pauses of the JVM beyond garbage collections; logged as warnings
      settings.put("jvm.pause.monitor", "true");
      settings.put("jvm.pause.sleep.time.ms", "100");
      settings.put("jvm.pause.info-threshold.ms", "20");
      settings.put("jvm.pause.warn-threshold.ms", "200");
      given(server)
          .filter(each -> !each.startsWith("-"))
          .map(each -> each.split("=", 2))
          .forEach(parts -> settings.put(parts[0], parts[1]));
      boolean own = METRICS.text(0).equals(settings.remove(PROVIDER));
      if (own && ServerMetrics.location().isPresent()) {
        settings.put(PROVIDER + ".className", ServerMetrics.class.getName());
      }
      boolean secured = server.keys().isPresent();
      settings.put(secured ? "secureClientPort" : "clientPort", Integer.toString(server.port(0)));
      settings.put(secured ? "secureClientPortAddress" : "clientPortAddress", server.host());
      if (secured) {
        settings.putAll(secured(server, server.keys().get(), peers.size() > 1));
      }
      if (peers.size() > 1) {
        for (ServerPlan each : peers) {
          String host = isRelayed(peers) ? each.name() : each.host();
          settings.put("server." + each.index(), host + ":" + each.port(1) + ":" + each.port(2));
        }
      }
      return settings;
    }

    private static boolean isRelayed(List<ServerPlan> peers) {
      return peers.stream().anyMatch(each -> !each.peerHost().equals(each.host()));
    }

    /**
     * Writes a file with the addresses of members for a server, and returns the option for its JVM.
     * A member announces the address that it listens at to others, which then connect to it
     * directly. So it announces a name, which means another address to itself.
     */
    private static String names(ServerPlan server, List<ServerPlan> peers) throws IOException {
      Path file = server.data().resolve("hosts");
      List<String> lines = new ArrayList<>(List.of("127.0.0.1 localhost"));
      for (ServerPlan each : peers) {
        String host = each.index() == server.index() ? each.host() : each.peerHost();
        lines.add(host + " " + each.name());
      }
      Files.write(file, lines);
      return "-Djdk.net.hosts.file=" + file;
    }

    /** Writes key and certificate into one file, as ZooKeeper requires, and replaces it. */
    private static void writeTogether(Path both, MemberKeys keys) throws IOException {
      Path next = both.resolveSibling(both.getFileName() + ".next");
      PrivateFiles.write(next, Files.readString(keys.key()) + Files.readString(keys.certificate()));
      Files.move(next, both, StandardCopyOption.ATOMIC_MOVE);
    }

    private static Path together(ServerPlan server, MemberKeys keys) {
      return keys.key().resolveSibling(server.name() + ".pem");
    }

    @Override
    public void renewed(ServerPlan server) throws IOException {
      MemberKeys keys = server.keys().orElseThrow();
      writeTogether(together(server, keys), keys);
    }

    /**
     * Returns the settings for TLS with clients and in the quorum, which all need a certificate.
     */
    private static Map<String, String> secured(ServerPlan server, MemberKeys keys, boolean quorum)
        throws IOException {
      Path both = together(server, keys);
      writeTogether(both, keys);
      Map<String, String> settings = new LinkedHashMap<>();
      settings.put("serverCnxnFactory", "org.apache.zookeeper.server.NettyServerCnxnFactory");
      settings.put("ssl.clientAuth", "need");
      settings.put("sslQuorum", Boolean.toString(quorum));
      // new connections get the certificates that are in the files then
      settings.put("client.certReload", "true");
      settings.put("sslQuorumReloadCertFiles", "true");
      for (String prefix : List.of("ssl.", "ssl.quorum.")) {
        settings.put(prefix + "keyStore.location", both.toString());
        settings.put(prefix + "keyStore.type", "PEM");
        settings.put(prefix + "trustStore.location", keys.authority().toString());
        settings.put(prefix + "trustStore.type", "PEM");
      }
      return settings;
    }
  }
}
