package io.quorate.store.consul;
import com.fasterxml.jackson.databind.JsonNode;
import io.quorate.ShellText;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.Login;
import io.quorate.store.Setting;
import io.quorate.store.Store;
import io.quorate.store.driver.HttpResponseText;
import io.quorate.store.server.LogRule;
import io.quorate.store.server.Program;
import io.quorate.store.server.ServerInternals;
import io.quorate.store.server.ServerKind;
import io.quorate.store.server.ServerLog;
import io.quorate.store.server.ServerProtocol;
import io.quorate.store.server.StoreServers;
import io.quorate.tls.ClientTls;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The servers of Consul. */
public record ConsulServers(Store store, ServerKind server) implements StoreServers {
  private static final int[] FIRST_UNDER_BUSL = {1, 16, 4};
  private static final Pattern NUMBERS = Pattern.compile("(\\d{1,6})\\.(\\d{1,6})\\.(\\d{1,6})");

  /** The agent, which is server and command-line tool in one. */
  public static final Program CONSUL =
      new Program(
          "consul",
          "1.22.7",
          new Program.Licence(
              "BUSL-1.1",
              Optional.of(new Program.Licence.Earlier("MPL-2.0", ConsulServers::isBeforeBusl)),
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

  /** The last version that is open source. */
  private static final String OPEN_SOURCE = "1.16.3";

  private static final Pattern SNAPSHOTS = Pattern.compile("raft/snapshots/[^/]+");

  private static final long MIB = 1 << 20;

  /** Each is a field of consul.json. */
  static final List<Setting> SETTINGS =
      List.of(
          // Consul's own 5 is meant for small machines: elections take five times as long
          Setting.count("raft_multiplier", 1, 10, "performance.raft_multiplier={}").orElse(1),
          Setting.count("raft_snapshot_threshold", 1, 1_000_000_000, "raft_snapshot_threshold={}"),
          Setting.millis("raft_snapshot_interval", 1000, 3_600_000, "raft_snapshot_interval={}ms"),
          Setting.bytes("kv_max_value_size", 1024, 512 * MIB, "limits.kv_max_value_size={}"));

  /** The servers of the usual version. */
  public static final StoreServers SERVERS = new ConsulServers(ConsulStore.STORE, server(CONSUL));

  private static ServerKind server(Program program) {
    return ServerKind.of(program, ConsulLauncher::new, new ConsulProtocol(), new Log());
  }

  @Override
  public List<ServerKind> kinds() {
    return List.of(server);
  }

  @Override
  public List<StoreServers> versions() {
    return Stream.of(CONSUL, CONSUL.inVersion(OPEN_SOURCE))
        .<StoreServers>map(
            each -> new ConsulServers(ConsulStore.STORE.inVersion(each.version()), server(each)))
        .toList();
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
  public Optional<Pattern> snapshots() {
    return Optional.of(SNAPSHOTS);
  }

  /** Returns the command of Consul's own tool that removes all keys with a prefix. */
  public static String removalCommand(Endpoint server, Access access, String prefix) {
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
    boolean anyName = access.tls().filter(tls -> !tls.checksName()).isPresent();
    return (anyName ? "CONSUL_HTTP_SSL_VERIFY=false " : "") + token + ShellText.of(command);
  }

  @Override
  public Optional<String> removal(Endpoint server, Access access, String prefix) {
    return Optional.of(removalCommand(server, access, prefix));
  }

  /**
   * Returns whether a version is older than the licence change, by its first three numbers, such as
   * those of {@code 1.16.3+ent}.
   */
  private static boolean isBeforeBusl(String version) {
    Matcher numbers = NUMBERS.matcher(version);
    return numbers.lookingAt()
        && Arrays.compare(
                IntStream.rangeClosed(1, FIRST_UNDER_BUSL.length)
                    .map(each -> Integer.parseInt(numbers.group(each)))
                    .toArray(),
                FIRST_UNDER_BUSL)
            < 0;
  }

  /** Reads Consul's log: lines with a time, and what its command line says before and after. */
  private static final class Log extends ServerLog.Timed {
    /** Prefix of messages of Consul's command line, most of which report no error. */
    private static final String COMMAND_LINE = "==> ";

    private static final List<LogRule> RULES =
        List.of(
            LogRule.becameLeader("entering leader state"),
            LogRule.trouble("cluster leadership lost|no cluster leader|No cluster leader"),
            LogRule.trouble("heartbeat timeout reached"),
            LogRule.trouble("failed to contact"),
            LogRule.trouble("failed to (appendEntries|heartbeat)"),
            LogRule.trouble("(?i)rate limit"),
            LogRule.trouble("starting snapshot up to"));

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

  /** Asks Consul over HTTP about its agent, and for the leader that it knows. */
  static final class ConsulProtocol implements ServerProtocol {
    private static final int OK = 200;
    private static final int FORBIDDEN = 403;

    @Override
    public ServerProtocol.State ask(Endpoint endpoint, Access access, Duration timeout)
        throws IOException {
      HttpResponseText answer = get(endpoint, access, "/v1/agent/self", timeout);
      if (answer.status() == FORBIDDEN) {
        // its version and who leads is for those with the right to know about agents
        HttpResponseText leader = get(endpoint, access, "/v1/status/leader", timeout);
        boolean ready = leader.status() == OK && !leader.json().asText().isEmpty();
        return new ServerProtocol.State(
            "", ready, false, "does not say its version without agent:read");
      }
      if (answer.status() != OK) {
        throw new IOException("answers to /v1/agent/self: " + answer);
      }
      JsonNode self = answer.json();
      String version = self.at("/Config/Version").asText();
      if (version.isEmpty()) {
        throw new IOException("does not answer like Consul");
      }
      HttpResponseText leader = get(endpoint, access, "/v1/status/leader", timeout);
      boolean ready = leader.status() == OK && !leader.json().asText().isEmpty();
      boolean leads = self.at("/Stats/consul/leader").asText().equals("true");
      return new ServerProtocol.State(version, ready, leads, "leader: " + leader);
    }

    /**
     * Asks, and also checks that it knows all others and carries out a write, which needs the
     * leader and a majority.
     */
    @Override
    public ServerProtocol.State askStarted(
        Endpoint endpoint, Access access, int peers, Duration timeout) throws IOException {
      ServerProtocol.State state = ask(endpoint, access, timeout);
      if (!state.ready()) {
        return state;
      }
      HttpResponseText known = get(endpoint, access, "/v1/status/peers", timeout);
      if (known.status() != OK || known.json().size() != peers) {
        return notReady(state, "peers: " + known);
      }
      String key = "/v1/kv/quorate-ready-" + endpoint.port();
      for (String method : new String[] {"PUT", "DELETE"}) {
        HttpResponseText written = send(method, endpoint, access, key, timeout);
        if (written.status() != OK || !written.body().strip().equals("true")) {
          return notReady(state, method + " of a key: " + written);
        }
      }
      return state;
    }

    @Override
    public Optional<String> obstacle(Endpoint endpoint, Access access, Duration timeout)
        throws IOException {
      HttpResponseText answer = get(endpoint, access, "/v1/kv/quorate", timeout);
      if (answer.status() != FORBIDDEN) {
        return Optional.empty();
      }
      return Optional.of(
          access.login() == Login.NONE
              ? "it accepts only clients with a token: name yours"
              : "it does not take the token, or does not let its owner read keys: check the token and"
                  + " its policy, which needs key_prefix \"\" with write");
    }

    private static HttpResponseText get(
        Endpoint endpoint, Access access, String path, Duration timeout) throws IOException {
      return send("GET", endpoint, access, path, timeout);
    }

    private static HttpResponseText send(
        String method, Endpoint endpoint, Access access, String path, Duration timeout)
        throws IOException {
      return HttpResponseText.to(
          method, endpoint, access, path, "", ConsulToken.headers(access), timeout);
    }

    private static ServerProtocol.State notReady(ServerProtocol.State state, String said) {
      return new ServerProtocol.State(state.version(), false, state.leads(), said);
    }
  }
}
