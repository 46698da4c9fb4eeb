// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quorate.QuorateException;
import io.quorate.ShellText;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.Login;
import io.quorate.store.ServerSettings;
import io.quorate.store.Setting;
import io.quorate.store.Store;
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
import io.quorate.store.server.ToolVariables;
import io.quorate.tls.ClientTls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The servers of etcd. */
public record EtcdServers(Store store, List<ServerKind> kinds) implements StoreServers {
  public static final Program ETCD =
      new Program(
          "etcd",
          "3.7.3",
          Program.Licence.APACHE,
          "etcd Version: (\\S+)",
          List.of(
              new Program.GoPackage("etcd", "go.etcd.io/etcd/server/v3"),
              new Program.GoPackage("etcdctl", "go.etcd.io/etcd/etcdctl/v3"),
              new Program.GoPackage("etcdutl", "go.etcd.io/etcd/etcdutl/v3")),
          Optional.of(
              new Program.Vendor(
                  "https://github.com/etcd-io/etcd/releases/download",
                  "v{version}",
                  "etcd-v{version}-{os}-{arch}",
                  "tar.gz")));

  /** etcd's own load tool, for comparisons. It does not report its version. */
  public static final Program BENCHMARK =
      new Program(
          "etcd-benchmark",
          "3.6.8",
          Program.Licence.APACHE,
          "Usage:\\s+benchmark",
          List.of(new Program.GoPackage("etcd-benchmark", "go.etcd.io/etcd/v3/tools/benchmark")),
          Optional.empty());

  /** Versions with pinned sources in src/databases, in addition to the default one. */
  private static final List<String> OTHER_VERSIONS = List.of("3.6.16", "3.6.8", "3.5.35");

  private static final long GIB = 1L << 30;
  private static final long HOUR_MILLIS = 3_600_000;
  private static final long MAX_REVISIONS = 1_000_000_000;

  /**
   * Least ratio of election timeout to heartbeat interval: etcd refuses to start with a smaller
   * one.
   */
  private static final long HEARTBEATS_PER_ELECTION = 5;

  static final Setting HEARTBEAT =
      Setting.millis("heartbeat-interval", 1, 10_000, "--heartbeat-interval={}")
          .withDefaultOfServers(100);

  /** The election timeout: etcd refuses to start with more than 50 s. */
  static final Setting ELECTION =
      Setting.millis("election-timeout", 10, 50_000, "--election-timeout={}")
          .withDefaultOfServers(1000);

  private static final Setting COMPACTION_PERIOD =
      Setting.millis(
          "auto-compaction-period",
          1000,
          24 * HOUR_MILLIS,
          "--auto-compaction-mode=periodic --auto-compaction-retention={}ms");

  private static final Setting COMPACTION_REVISIONS =
      Setting.count(
          "auto-compaction-revisions",
          1,
          MAX_REVISIONS,
          "--auto-compaction-mode=revision --auto-compaction-retention={}");

  /** Options that begin with {@code --experimental-} in etcd 3.5. */
  private static final Pattern EXPERIMENTAL =
      Pattern.compile("^--(?=snapshot-catchup-entries=|compaction-(batch-limit|sleep-interval)=)");

  private static final Setting LARGEST_REQUEST =
      Setting.bytes("max-request-bytes", 64 << 10, 1 << 28, "--max-request-bytes={}")
          .withDefaultOfServers(3 << 19);

  private static final List<Setting> SETTINGS =
      List.of(
          Setting.count("snapshot-count", 1, MAX_REVISIONS, "--snapshot-count={}"),
          Setting.count(
              "snapshot-catchup-entries", 1, MAX_REVISIONS, "--snapshot-catchup-entries={}"),
          // etcd's default of 2 GiB would end a run of a million keys
          Setting.bytes("quota-backend-bytes", 1 << 20, 1024 * GIB, "--quota-backend-bytes={}")
              .orElse(8 * GIB),
          LARGEST_REQUEST,
          HEARTBEAT,
          ELECTION,
          COMPACTION_PERIOD,
          COMPACTION_REVISIONS,
          Setting.count("compaction-batch-limit", 1, 10_000_000, "--compaction-batch-limit={}"),
          Setting.millis(
              "compaction-sleep-interval", 1, 60_000, "--compaction-sleep-interval={}ms"),
          Setting.millis("backend-batch-interval", 1, 60_000, "--backend-batch-interval={}ms"),
          Setting.count("backend-batch-limit", 1, 10_000_000, "--backend-batch-limit={}"),
          Setting.name(
              "backend-bbolt-freelist-type", "--backend-bbolt-freelist-type={}", "array", "map"),
          Setting.count("max-concurrent-streams", 1, MAX_REVISIONS, "--max-concurrent-streams={}"),
          Setting.name("unsafe-no-fsync", "--unsafe-no-fsync={}", "false", "true").unsafeIfLast());

  private static final String USER = "ETCDCTL_USER";
  private static final String PASSWORD = "ETCDCTL_PASSWORD";
  private static final List<String> TLS_FILES =
      List.of("ETCDCTL_CACERT", "ETCDCTL_CERT", "ETCDCTL_KEY");

  private static final ToolVariables TOOL =
      new ToolVariables(
          "ETCDCTL_ENDPOINTS",
          given ->
              TLS_FILES.stream().anyMatch(each -> ToolVariables.value(given, each).isPresent()),
          TLS_FILES.get(0),
          TLS_FILES.get(1),
          TLS_FILES.get(2),
          List.of(USER, PASSWORD),
          EtcdServers::login);

  public static final StoreServers SERVERS = new EtcdServers(EtcdStore.STORE, server(ETCD));

  private static List<ServerKind> server(Program program) {
    return List.of(
        new ServerKind(
            program.id(),
            Optional.of(program),
            new EtcdProtocol(),
            new Log(),
            installed -> new Launcher(installed.require(program), installed.version(program))));
  }

  @Override
  public List<StoreServers> versions() {
    return Stream.concat(Stream.of(ETCD), OTHER_VERSIONS.stream().map(ETCD::inVersion))
        .map(EtcdServers::of)
        .toList();
  }

  /** Returns the servers of a version from 3.5.0 on, or of the user's own program. */
  @Override
  public Optional<StoreServers> inVersion(String version) {
    return Optional.of(version)
        .filter(text -> !text.matches("([0-2]|3\\.[0-4])\\..*"))
        .map(text -> of(ETCD.inVersion(text)));
  }

  private static StoreServers of(Program program) {
    return new EtcdServers(EtcdStore.inVersion(program.version()), server(program));
  }

  @Override
  public List<Setting> settings() {
    return SETTINGS;
  }

  @Override
  public Optional<ServerSettings.Conflict> conflict(ServerSettings chosen) {
    if (chosen.has(COMPACTION_PERIOD) && chosen.has(COMPACTION_REVISIONS)) {
      return Optional.of(
          new ServerSettings.Conflict(
              COMPACTION_REVISIONS,
              "'auto-compaction-revisions' beside 'auto-compaction-period'",
              "one of them: etcd compacts by time or by revisions"));
    }
    long heartbeat = chosen.inForce(HEARTBEAT);
    long election = chosen.inForce(ELECTION);
    if (election >= HEARTBEATS_PER_ELECTION * heartbeat) {
      return Optional.empty();
    }
    return Optional.of(
        new ServerSettings.Conflict(
            chosen.has(ELECTION) ? ELECTION : HEARTBEAT,
            "election-timeout %s with heartbeat-interval %s"
                .formatted(ELECTION.kind().text(election), HEARTBEAT.kind().text(heartbeat)),
            "an election timeout of at least five heartbeats, without which etcd does not start"));
  }

  @Override
  public Optional<Setting> sizeLimit() {
    return Optional.of(LARGEST_REQUEST);
  }

  @Override
  public Optional<ServerInternals> internals() {
    return Optional.of(new EtcdInternals());
  }

  @Override
  public Optional<String> logSyncFigure() {
    return Optional.of(EtcdInternals.LOG_SYNC);
  }

  @Override
  public ServerKnowledge knowledge() {
    return new EtcdKnowledge();
  }

  @Override
  public Optional<Pattern> snapshots() {
    return Optional.of(Pattern.compile("member/snap/[^/]+\\.snap"));
  }

  @Override
  public List<Program> tools() {
    return List.of(BENCHMARK);
  }

  /** Returns the variables of {@code etcdctl}, whose user may be {@code NAME:PASSWORD}. */
  @Override
  public Optional<ToolVariables> toolVariables() {
    return Optional.of(TOOL);
  }

  private static Optional<Login> login(Map<String, String> environment) {
    return ToolVariables.value(environment, USER)
        .map(
            user -> {
              String[] parts = user.split(":", 2);
              return new Login.Password(
                  parts[0],
                  ToolVariables.value(environment, PASSWORD)
                      .orElse(parts.length > 1 ? parts[1] : ""));
            });
  }

  @Override
  public Optional<String> removal(Endpoint server, Access access, String prefix) {
    List<String> command = new ArrayList<>();
    command.add("etcdctl");
    command.add("--endpoints=" + access.scheme() + "://" + server);
    access
        .tls()
        .map(ClientTls::files)
        .ifPresent(
            files -> {
              command.add("--cacert=" + files.authority());
              files.identity().ifPresent(own -> command.add("--cert=" + own.certificate()));
              files.identity().ifPresent(own -> command.add("--key=" + own.key()));
              if (!files.checksName()) {
                command.add("--insecure-skip-tls-verify");
              }
            });
    if (access.login() instanceof Login.Password password) {
      command.add("--user=" + password.user());
    }
    command.addAll(List.of("del", "--prefix", prefix));
    return Optional.of(ShellText.of(command));
  }

  /** Reads etcd's log: one JSON object to a line. */
  private static final class Log implements ServerLog {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern CUT_OFF = Pattern.compile("\\{\"level\":\"(\\w+)\".*");

    /** The duration that {@link #event} adds to a message, if it has one. */
    private static final String TOOK = "(?:.*? \\((?<took>[^() ]+)\\))?";

    private static final List<LogRule> RULES =
        List.of(
            LogRule.becameLeader("became leader at term"),
            LogRule.trouble(StallCause.LEADER_CHANGE, "lost leader"),
            LogRule.trouble(StallCause.LOG_SYNC, "slow fdatasync" + TOOK),
            LogRule.trouble(
                StallCause.MEMBER, "leader failed to send out heartbeat on time" + TOOK),
            LogRule.trouble(StallCause.APPLY, "took too long" + TOOK),
            LogRule.trouble(StallCause.NETWORK, "dropped internal Raft message"),
            LogRule.trouble(StallCause.NETWORK, "lost TCP streaming connection with remote peer"),
            LogRule.trouble("clock difference against peer"),
            LogRule.trouble(StallCause.LIMIT, "(?i)database space exceeded"),
            LogRule.trouble("(?i)alarm raised"),
            LogRule.trouble(StallCause.SNAPSHOT, "triggering snapshot"));

    @Override
    public List<LogRule> rules() {
      return RULES;
    }

    @Override
    public Optional<LogEvent> event(String line) {
      if (!line.startsWith("{")) {
        return Optional.empty();
      }
      try {
        JsonNode event = JSON.readTree(line);
        String message = event.path("msg").asText();
        String error = event.path("error").asText();
        // how much later a heartbeat was sent than it should have been
        String late = event.path("exceeded-duration").asText();
        String took = event.path("took").asText(late);
        String told = took.isEmpty() ? message : message + " (" + took + ")";
        String text = error.isEmpty() || told.contains(error) ? told : told + ": " + error;
        return Optional.of(
            new LogEvent(
                LogEvent.Severity.of(event.path("level").asText()),
                LogEvent.time(event.path("ts").asText()),
                text,
                !error.isEmpty()));
      } catch (JsonProcessingException cutOff) { // as on a full disk
        Matcher level = CUT_OFF.matcher(line);
        return level.matches()
            ? Optional.of(
                new LogEvent(LogEvent.Severity.of(level.group(1)), Optional.empty(), line, false))
            : Optional.empty();
      }
    }
  }

  /** Runs etcd: ports for clients and for peers. */
  public record Launcher(Path executable, String version) implements ServerLauncher {
    /** Options of etcd that its data depends on, so that {@code etcdutl} needs the same. */
    private static final List<String> OF_NEW_CLUSTERS =
        List.of(
            "--name",
            "--data-dir",
            "--initial-advertise-peer-urls",
            "--initial-cluster",
            "--initial-cluster-token");

    @Override
    public int portsPerServer() {
      return 2;
    }

    @Override
    public List<String> command(ServerPlan server, List<ServerPlan> peers) {
      return command(server, peers, "new");
    }

    @Override
    public List<String> joinCommand(ServerPlan server, List<ServerPlan> peers) {
      return command(server, peers, "existing");
    }

    /** Fills the data directory by {@code etcdutl}, and then becomes etcd. */
    @Override
    public List<String> restoreCommand(ServerPlan server, List<ServerPlan> running, Path snapshot) {
      Path tool = executable.resolveSibling("etcdutl");
      if (!Files.isExecutable(tool)) {
        throw new QuorateException(
            "there is no etcdutl next to "
                + executable
                + ": './quorate install' of this version adds it; put it next to a program of your own");
      }
      List<String> etcd = command(server, List.of(server));
      List<String> restore = new ArrayList<>(List.of(tool.toString(), "snapshot", "restore"));
      restore.add(snapshot.resolve(EtcdRestoration.FILE).toString());
      for (String option : OF_NEW_CLUSTERS) {
        restore.addAll(etcd.subList(etcd.indexOf(option), etcd.indexOf(option) + 2));
      }
      // the shell ends etcdutl with itself: who ends a server knows one process
      return List.of(
          "/bin/sh",
          "-c",
          "%s & tool=$!; trap 'kill -9 $tool; exit 143' TERM; wait $tool && exec %s"
              .formatted(ShellText.of(restore), ShellText.of(etcd)));
    }

    private List<String> command(ServerPlan server, List<ServerPlan> peers, String cluster) {
      String clients = scheme(server) + "://" + server.endpoint();
      String others = scheme(server) + "://" + server.host() + ":" + server.port(1);
      String reached = peerUrl(server, server);
      String everybody =
          peers.stream()
              .map(each -> each.name() + "=" + peerUrl(server, each))
              .collect(Collectors.joining(","));
      // the ports in the token keep servers of other clusters out of this one
      String token = "quorate-" + peers.get(0).port(1);
      List<String> command = new ArrayList<>(List.of(executable.toString()));
      command.addAll(List.of("--name", server.name(), "--data-dir", server.data().toString()));
      command.addAll(List.of("--listen-client-urls", clients, "--advertise-client-urls", clients));
      command.addAll(
          List.of("--listen-peer-urls", others, "--initial-advertise-peer-urls", reached));
      command.addAll(List.of("--initial-cluster", everybody, "--initial-cluster-state", cluster));
      command.addAll(List.of("--initial-cluster-token", token));
      command.addAll(server.settings().rendered(SETTINGS));
      if (version.startsWith("3.5.")) {
        command.replaceAll(each -> EXPERIMENTAL.matcher(each).replaceFirst("--experimental-"));
      }
      command.addAll(List.of("--log-level", server.pipedLog() ? "debug" : "warn"));
      server.keys().ifPresent(keys -> command.addAll(secured(keys)));
      return command;
    }

    /** Removes variables that begin with ETCD, as etcd reads all of them as settings. */
    @Override
    public void clean(Map<String, String> environment) {
      environment.keySet().removeIf(name -> name.startsWith("ETCD"));
    }

    /** Returns where a server reaches a peer, which may be the server. */
    static String peerUrl(ServerPlan server, ServerPlan peer) {
      return scheme(server) + "://" + peer.peerHost() + ":" + peer.port(1);
    }

    private static String scheme(ServerPlan server) {
      return server.keys().isPresent() ? "https" : "http";
    }

    /** Returns the options for TLS with clients and with peers, which all need a certificate. */
    private List<String> secured(MemberKeys keys) {
      List<String> options = new ArrayList<>();
      for (String prefix : List.of("--", "--peer-")) {
        options.addAll(List.of(prefix + "cert-file", keys.certificate().toString()));
        options.addAll(List.of(prefix + "key-file", keys.key().toString()));
        options.addAll(List.of(prefix + "trusted-ca-file", keys.authority().toString()));
        options.add(prefix + "client-cert-auth");
      }
      if (!version.matches("3\\.5\\.[0-7]")) { // the first ones do not know the option
        options.addAll(List.of("--tls-min-version", "TLS1.2"));
      }
      return options;
    }
  }
}
