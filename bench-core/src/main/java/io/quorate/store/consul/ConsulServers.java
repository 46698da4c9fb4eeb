// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.consul;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.quorate.ShellText;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.Login;
import io.quorate.store.Setting;
import io.quorate.store.Store;
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
import io.quorate.tls.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The servers of Consul. */
public record ConsulServers(Store store, List<ServerKind> kinds) implements StoreServers {
  private static final String TOKEN = "CONSUL_HTTP_TOKEN";
  private static final String TOKEN_FILE = "CONSUL_HTTP_TOKEN_FILE";

  private static final ToolVariables TOOL =
      new ToolVariables(
          "CONSUL_HTTP_ADDR",
          given ->
              ToolVariables.value(given, "CONSUL_HTTP_SSL")
                  .filter(text -> Set.of("1", "t", "true").contains(text.toLowerCase(Locale.ROOT)))
                  .isPresent(),
          "CONSUL_CACERT",
          "CONSUL_CLIENT_CERT",
          "CONSUL_CLIENT_KEY",
          List.of(TOKEN, TOKEN_FILE),
          ConsulServers::login);

  /** Versions before 1.16.4, such as {@code 1.16.3+ent}. */
  private static final Pattern BEFORE_BUSL =
      Pattern.compile("(0\\.\\d+|1\\.\\d|1\\.1[0-5])\\.\\d.*|1\\.16\\.[0-3](\\D.*)?");

  /** The agent, which is server and command-line tool in one. */
  public static final Program CONSUL =
      new Program(
          "consul",
          "1.22.7",
          new Program.Licence(
              "BUSL-1.1",
              Optional.of(new Program.Licence.Earlier("MPL-2.0", BEFORE_BUSL.asMatchPredicate())),
              Optional.of(
                  "Business Source License 1.1 from Consul 1.16.4 on, which is not open source;"
                      + " 1.16.3 is the last release under MPL-2.0")),
          "Consul v(\\S+)",
          List.of(new Program.GoPackage("consul", "github.com/hashicorp/consul")),
          Optional.of(
              new Program.Vendor(
                  "https://releases.hashicorp.com/consul",
                  "{version}",
                  "consul_{version}_{os}_{arch}",
                  "zip")));

  private static final String OPEN_SOURCE = "1.16.3";

  private static final long MIB = 1 << 20;

  /** Turns a port or a limit off. */
  private static final int NONE = -1;

  /** Consul's default of 5 is meant for small machines: elections take five times as long. */
  static final Setting RAFT_MULTIPLIER =
      Setting.count("raft_multiplier", 1, 10, "performance.raft_multiplier={}").orElse(1);

  private static final Setting LARGEST_VALUE =
      Setting.bytes("kv_max_value_size", 1024, 512 * MIB, "limits.kv_max_value_size={}")
          .withDefaultOfServers(MIB / 2);

  /** The settings; each is a field of consul.json. */
  private static final List<Setting> SETTINGS =
      List.of(
          RAFT_MULTIPLIER,
          Setting.count("raft_snapshot_threshold", 1, 1_000_000_000, "raft_snapshot_threshold={}"),
          Setting.count("raft_trailing_logs", 1, 1_000_000_000, "raft_trailing_logs={}"),
          Setting.millis("raft_snapshot_interval", 1000, 3_600_000, "raft_snapshot_interval={}ms"),
          Setting.count("segment_size_mb", 1, 1024, "raft_logstore.wal.segment_size_mb={}"),
          LARGEST_VALUE,
          // the default limit of 200 per address would end a ramp at 200 connections
          Setting.count(
                  "http_max_conns_per_client", 1, 1_000_000, "limits.http_max_conns_per_client={}")
              .orElse(NONE),
          Setting.name("raft_logstore.backend", "raft_logstore.backend={}", "boltdb", "wal"));

  public static final StoreServers SERVERS = new ConsulServers(ConsulStore.STORE, server(CONSUL));

  private static List<ServerKind> server(Program program) {
    return List.of(ServerKind.of(program, Launcher::new, new ConsulProtocol(), new Log()));
  }

  @Override
  public List<StoreServers> versions() {
    return Stream.of(CONSUL, CONSUL.inVersion(OPEN_SOURCE))
        .<StoreServers>map(
            each -> new ConsulServers(ConsulStore.STORE.inVersion(each.version()), server(each)))
        .toList();
  }

  @Override
  public Optional<Setting> sizeLimit() {
    return Optional.of(LARGEST_VALUE);
  }

  @Override
  public long requestBytes(int keyBytes, int valueBytes) {
    return valueBytes;
  }

  /** Returns the bytes of a body, whose values are in Base64. */
  @Override
  public long requestBytes(int puts, int keyBytes, int valueBytes) {
    return puts * (keyBytes + 4 * ((valueBytes + 2L) / 3));
  }

  @Override
  public List<Setting> settings() {
    return SETTINGS;
  }

  @Override
  public Optional<ServerInternals> internals() {
    return Optional.of(new ConsulInternals());
  }

  @Override
  public ServerKnowledge knowledge() {
    return new ConsulKnowledge();
  }

  @Override
  public Optional<Pattern> snapshots() {
    return Optional.of(Pattern.compile("raft/snapshots/[^/]+"));
  }

  /** Returns the servers of a release from 1.16.0 on. */
  @Override
  public Optional<StoreServers> inVersion(String version) {
    return Optional.of(version)
        .filter(text -> text.matches("1\\.(1[6-9]|[2-9]\\d)\\.\\d{1,3}"))
        .map(
            text ->
                new ConsulServers(
                    ConsulStore.STORE.inVersion(text), server(CONSUL.inVersion(text))));
  }

  @Override
  public Optional<ToolVariables> toolVariables() {
    return Optional.of(TOOL);
  }

  private static Optional<Login> login(Map<String, String> environment) {
    return ToolVariables.value(environment, TOKEN)
        .or(
            () ->
                ToolVariables.value(environment, TOKEN_FILE)
                    .map(file -> PrivateFiles.read(Path.of(file), "a token").strip()))
        .map(Login.Token::new);
  }

  @Override
  public Optional<String> removal(Endpoint server, Access access, String prefix) {
    List<String> command = new ArrayList<>(List.of("consul", "kv", "delete"));
    command.add("-http-addr=" + access.scheme() + "://" + server);
    access
        .tls()
        .map(ClientTls::files)
        .ifPresent(
            files -> {
              command.add("-ca-file=" + files.authority());
              files.identity().ifPresent(own -> command.add("-client-cert=" + own.certificate()));
              files.identity().ifPresent(own -> command.add("-client-key=" + own.key()));
            });
    command.addAll(List.of("-recurse", prefix));
    String token = access.login() == Login.NONE ? "" : "CONSUL_HTTP_TOKEN=... ";
    boolean anyName = access.tls().filter(tls -> !tls.files().checksName()).isPresent();
    String check = anyName ? "CONSUL_HTTP_SSL_VERIFY=false " : "";
    return Optional.of(check + token + ShellText.of(command));
  }

  /** Reads Consul's log: lines with a time, and messages of its command line before and after. */
  private static final class Log extends ServerLog.Timed {
    /** Prefix of messages of Consul's command line, most of which report no error. */
    private static final String COMMAND_LINE = "==> ";

    private static final List<LogRule> RULES =
        List.of(
            LogRule.becameLeader("entering leader state"),
            LogRule.trouble(
                StallCause.LEADER_CHANGE,
                "cluster leadership lost|no cluster leader|No cluster leader"),
            LogRule.trouble(StallCause.LEADER_CHANGE, "heartbeat timeout reached"),
            LogRule.trouble(StallCause.NETWORK, "failed to contact(?:.*\\btime=(?<took>\\S+))?"),
            LogRule.trouble(StallCause.NETWORK, "failed to (appendEntries|heartbeat)"),
            LogRule.trouble(StallCause.LIMIT, "(?i)rate limit"),
            LogRule.trouble(StallCause.SNAPSHOT, "starting snapshot up to"));

    Log() {
      super(RULES);
    }

    @Override
    public Optional<String> reason(String lastLine) {
      boolean ofError =
          lastLine.startsWith(COMMAND_LINE) && !lastLine.matches(".*(:|\\.\\.\\.|!)\\s*");
      return ofError ? Optional.of(lastLine.substring(COMMAND_LINE.length())) : Optional.empty();
    }
  }

  /** Runs Consul: one agent for a member, ports for HTTP, for the servers' RPC and for gossip. */
  public record Launcher(Path executable) implements ServerLauncher {
    @Override
    public int portsPerServer() {
      return 3;
    }

    /** Returns the port of gossip, which uses datagrams, and connections for large messages. */
    @Override
    public Set<Integer> datagramPorts() {
      return Set.of(2);
    }

    @Override
    public List<String> command(ServerPlan server, List<ServerPlan> peers) throws IOException {
      Map<String, Object> settings = settings(server, peers);
      settings.put("bootstrap_expect", peers.size());
      return command(server, settings);
    }

    @Override
    public List<String> joinCommand(ServerPlan server, List<ServerPlan> peers) throws IOException {
      return command(server, settings(server, peers));
    }

    private List<String> command(ServerPlan server, Map<String, Object> content)
        throws IOException {
      Path settings = server.data().resolve("consul.json");
      Files.deleteIfExists(settings); // a server that is upgraded has some
      // the file contains secrets
      PrivateFiles.write(
          settings,
          new ObjectMapper()
              .enable(SerializationFeature.INDENT_OUTPUT)
              .writeValueAsString(content));
      return List.of(executable.toString(), "agent", "-config-file=" + settings);
    }

    private static Map<String, Object> settings(ServerPlan server, List<ServerPlan> peers) {
      Map<String, Object> settings = new LinkedHashMap<>();
      settings.put("node_name", server.name());
      settings.put("server", true);
      settings.put("bind_addr", server.host());
      settings.put("advertise_addr", server.peerHost());
      settings.put("client_addr", server.host());
      settings.put("ports", ports(server));
      settings.put(
          "retry_join", peers.stream().map(each -> each.peerHost() + ":" + each.port(2)).toList());
      settings.put("retry_interval", "1s");
      settings.put("connect", Map.of("enabled", false));
      // a member that fails would lose its vote, and get it back some 20 s after it has returned
      settings.put("autopilot", Map.of("cleanup_dead_servers", false));
      for (String field : server.settings().rendered(SETTINGS)) {
        String[] parts = field.split("=", 2);
        put(settings, parts[0], value(parts[1]));
      }
      settings.put("disable_update_check", true);
      // otherwise /v1/agent/metrics has no Prometheus format, and its JSON is an error for a while
      settings.put(
          "telemetry", Map.of("prometheus_retention_time", "60s", "disable_hostname", true));
      settings.put("log_level", server.pipedLog() ? "DEBUG" : "WARN");
      settings.put("data_dir", server.data().toString());
      server.keys().ifPresent(keys -> settings.putAll(secured(keys)));
      return settings;
    }

    private static Map<String, Integer> ports(ServerPlan server) {
      Map<String, Integer> ports = new LinkedHashMap<>();
      if (server.keys().isPresent()) {
        ports.put("http", NONE);
        ports.put("https", server.port(0));
      } else {
        ports.put("http", server.port(0));
      }
      ports.put("server", server.port(1));
      ports.put("serf_lan", server.port(2));
      List.of("serf_wan", "dns", "grpc", "grpc_tls").forEach(unused -> ports.put(unused, NONE));
      return ports;
    }

    /**
     * Returns the settings for TLS between servers and with clients, which all need a certificate,
     * for encrypted gossip, and for a token that clients need.
     */
    private static Map<String, Object> secured(MemberKeys keys) {
      Map<String, Object> settings = new LinkedHashMap<>();
      Map<String, Object> tls = new LinkedHashMap<>();
      tls.put("ca_file", keys.authority().toString());
      tls.put("cert_file", keys.certificate().toString());
      tls.put("key_file", keys.key().toString());
      tls.put("verify_incoming", true);
      tls.put("verify_outgoing", true);
      settings.put("tls", Map.of("defaults", tls));
      settings.put("encrypt", keys.sharedKey());
      if (keys.login() instanceof Login.Token login) {
        Map<String, String> tokens =
            Map.of("initial_management", login.token(), "agent", login.token());
        settings.put("acl", Map.of("enabled", true, "default_policy", "deny", "tokens", tokens));
      }
      return settings;
    }

    /** Sets a field; its path may begin with the names of its objects, each with a dot. */
    private static void put(Map<String, Object> settings, String path, Object value) {
      int dot = path.indexOf('.');
      if (dot < 0) {
        settings.put(path, value);
        return;
      }
      @SuppressWarnings("unchecked")
      Map<String, Object> within =
          (Map<String, Object>)
              settings.computeIfAbsent(
                  path.substring(0, dot), any -> new LinkedHashMap<String, Object>());
      put(within, path.substring(dot + 1), value);
    }

    private static Object value(String text) {
      return text.matches("-?[0-9]+") ? Long.valueOf(text) : text;
    }

    /** Removes variables that begin with CONSUL, as Consul reads some of them as settings. */
    @Override
    public void clean(Map<String, String> environment) {
      environment.keySet().removeIf(name -> name.startsWith("CONSUL"));
    }
  }
}
