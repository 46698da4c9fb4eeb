package io.quorate.store.etcd;

import io.quorate.ShellText;
import io.quorate.store.Access;
import io.quorate.store.Capabilities;
import io.quorate.store.ClientKind;
import io.quorate.store.Endpoint;
import io.quorate.store.Login;
import io.quorate.store.ReadConsistency;
import io.quorate.store.ReadGuarantee;
import io.quorate.store.RequestPath;
import io.quorate.store.RequestPaths;
import io.quorate.store.ServerSettings;
import io.quorate.store.Setting;
import io.quorate.store.Store;
import io.quorate.store.WatchSupport;
import io.quorate.store.server.Licence;
import io.quorate.store.server.Program;
import io.quorate.store.server.ServerInternals;
import io.quorate.store.server.ServerKind;
import io.quorate.tls.ClientTls;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** etcd v3. */
public final class EtcdStore extends Store {
  /** The server and its command-line tool. */
  public static final Program ETCD =
      new Program(
          "etcd",
          "3.7.3",
          Licence.APACHE,
          "etcd Version: (\\S+)",
          List.of(
              new Program.GoPackage("etcd", "go.etcd.io/etcd/server/v3"),
              new Program.GoPackage("etcdctl", "go.etcd.io/etcd/etcdctl/v3")),
          Optional.of(
              new Program.Vendor(
                  "https://github.com/etcd-io/etcd/releases/download",
                  "v{version}",
                  "etcd-v{version}-{os}-{arch}",
                  "tar.gz")));

  /** etcd's own load tool, to compare ours with. It cannot say its version. */
  public static final Program BENCHMARK =
      new Program(
          "etcd-benchmark",
          "3.6.8",
          Licence.APACHE,
          "Usage:\\s+benchmark",
          List.of(new Program.GoPackage("etcd-benchmark", "go.etcd.io/etcd/v3/tools/benchmark")),
          Optional.empty());

  /** An etcd server: a member, or the server behind a shim. */
  public static final ServerKind SERVER = server(ETCD);

  /** Versions with pinned sources in src/databases, besides the usual one. */
  private static final List<String> OTHER_VERSIONS = List.of("3.6.16", "3.5.35");

  private static final RequestPath CONFIRMED = new RequestPath(1, 1, false);

  private static final RequestPaths PATHS =
      new RequestPaths(
          new RequestPath(1, 1, true),
          Map.of(
              ReadConsistency.LINEARIZABLE,
              CONFIRMED,
              ReadConsistency.DEFAULT,
              CONFIRMED,
              ReadConsistency.STALE,
              RequestPath.OWN));

  private static final Pattern SNAPSHOTS = Pattern.compile("member/snap/[^/]+\\.snap");

  public static final Store STORE = new EtcdStore();

  private final ServerKind server;
  private final List<Store> versions;

  private EtcdStore() {
    super("etcd", "etcd");
    server = SERVER;
    versions =
        Stream.concat(
                Stream.of(new EtcdStore(this, ETCD)),
                OTHER_VERSIONS.stream().map(other -> new EtcdStore(this, ETCD.inVersion(other))))
            .<Store>map(store -> store)
            .toList();
  }

  private EtcdStore(Store base, Program program) {
    super(base, program.version());
    server = server(program);
    versions = List.of();
  }

  private static ServerKind server(Program program) {
    return ServerKind.of(program, EtcdLauncher::new, new EtcdProtocol(), new EtcdLog());
  }

  @Override
  public List<Store> versions() {
    return versions;
  }

  @Override
  public List<ClientKind> clients() {
    return List.of(
        new ClientKind("http2", EtcdDriver::client),
        new ClientKind("grpc", StubDriver::client),
        new ClientKind("jetcd", JetcdDriver::client));
  }

  @Override
  public Capabilities capabilities() {
    return new Capabilities(EtcdOperation.all(), Capabilities.RangeReads.LIMITED, 128, Map.of());
  }

  @Override
  public WatchSupport watches() {
    return new WatchSupport(
        WatchSupport.Delivery.EVERY_CHANGE, WatchSupport.Delivery.EVERY_CHANGE, "", false, true);
  }

  @Override
  public List<ServerKind> servers() {
    return List.of(server);
  }

  @Override
  public List<Setting> settings() {
    return EtcdSettings.ALL;
  }

  @Override
  public Optional<ServerSettings.Conflict> conflict(ServerSettings settings) {
    return EtcdSettings.conflict(settings);
  }

  @Override
  public ReadGuarantee guarantee(ReadConsistency consistency) {
    return switch (consistency) {
      case LINEARIZABLE -> ReadGuarantee.LINEARIZABLE;
      case DEFAULT -> ReadGuarantee.LINEARIZABLE;
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
  public Optional<ServerInternals> internals() {
    return Optional.of(new EtcdInternals());
  }

  @Override
  public Optional<RequestPaths> paths() {
    return Optional.of(PATHS);
  }

  @Override
  public Optional<String> logSyncFigure() {
    return Optional.of(EtcdInternals.LOG_SYNC);
  }

  @Override
  public Optional<Pattern> snapshots() {
    return Optional.of(SNAPSHOTS);
  }

  @Override
  public List<Program> tools() {
    return List.of(BENCHMARK);
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
}
