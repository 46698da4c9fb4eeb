package io.quorate.store.consul;

import io.quorate.ShellText;
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
import io.quorate.tls.ClientTls;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** HashiCorp Consul, its key-value store. */
public final class ConsulStore extends Store {
  private static final int[] FIRST_UNDER_BUSL = {1, 16, 4};
  private static final Pattern NUMBERS = Pattern.compile("(\\d{1,6})\\.(\\d{1,6})\\.(\\d{1,6})");

  /** The agent, which is server and command-line tool in one. */
  public static final Program CONSUL =
      new Program(
          "consul",
          "1.22.7",
          new Licence(
              "BUSL-1.1",
              Optional.of(new Licence.Earlier("MPL-2.0", ConsulStore::isBeforeBusl)),
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

  private static final RequestPath LEADER = new RequestPath(1, 0, false);

  /**
   * A linearizable read may be confirmed by the answer to a heartbeat that was under way when it
   * came, so no round trip of it is certain.
   */
  private static final RequestPaths PATHS =
      new RequestPaths(
          new RequestPath(1, 1, true),
          Map.of(
              ReadConsistency.LINEARIZABLE,
              LEADER,
              ReadConsistency.DEFAULT,
              LEADER,
              ReadConsistency.STALE,
              RequestPath.OWN));

  static final WatchSupport WATCHES =
      new WatchSupport(
          WatchSupport.Delivery.LATEST,
          WatchSupport.Delivery.NONE,
          "Consul answers a blocking query of a prefix with all of its keys, at each change",
          true);

  static final Capabilities CAPABILITIES =
      new Capabilities(
          ConsulOperation.all(),
          Capabilities.RangeReads.ALL,
          128,
          Map.of(
              Operation.RANGE,
              "Consul returns all keys of a prefix, and neither limits nor counts them",
              Operation.COMPACT,
              "Consul keeps the last value of a key only"));

  /** The default client, on a connection of our own: why is in the guide, semantics.md. */
  static final ClientKind HTTP =
      new ClientKind(
          "http",
          () -> ConsulDriver.client("consul", ConsulDriver.Probe.LEADER, CAPABILITIES, WATCHES));

  /** Consul's Java client library. */
  static final ClientKind LIBRARY = new ClientKind("library", ConsulLibraryConnection::client);

  /** The last version that is open source. */
  private static final String OPEN_SOURCE = "1.16.3";

  private static final Pattern SNAPSHOTS = Pattern.compile("raft/snapshots/[^/]+");

  public static final Store STORE = new ConsulStore();

  private final ServerKind server;
  private final List<Store> versions;

  private ConsulStore() {
    super("consul", "Consul");
    server = server(CONSUL);
    versions =
        List.of(
            new ConsulStore(this, CONSUL), new ConsulStore(this, CONSUL.inVersion(OPEN_SOURCE)));
  }

  private ConsulStore(Store base, Program program) {
    super(base, program.version());
    server = server(program);
    versions = List.of();
  }

  private static ServerKind server(Program program) {
    return ServerKind.of(program, ConsulLauncher::new, new ConsulProtocol(), new ConsulLog());
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

  @Override
  public List<Store> versions() {
    return versions;
  }

  @Override
  public List<ClientKind> clients() {
    return List.of(HTTP, LIBRARY);
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
    return ConsulSettings.ALL;
  }

  @Override
  public ReadGuarantee guarantee(ReadConsistency consistency) {
    return switch (consistency) {
      case LINEARIZABLE -> ReadGuarantee.LINEARIZABLE;
      case DEFAULT -> ReadGuarantee.LEASE_OF_LEADER;
      case STALE -> ReadGuarantee.STALE;
    };
  }

  @Override
  public Optional<String> obstacleToTls() {
    return Optional.empty();
  }

  @Override
  public Login.Kind login() {
    return Login.Kind.TOKEN;
  }

  @Override
  public Optional<RequestPaths> paths() {
    return Optional.of(PATHS);
  }

  @Override
  public Optional<ServerInternals> internals() {
    return Optional.of(new ConsulInternals());
  }

  @Override
  public Optional<Pattern> snapshots() {
    return Optional.of(SNAPSHOTS);
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
}
