package io.quorate.store.cetcd;

import io.quorate.store.Capabilities;
import io.quorate.store.ClientKind;
import io.quorate.store.Store;
import io.quorate.store.WatchSupport;
import io.quorate.store.consul.ConsulDriver;
import io.quorate.store.consul.ConsulServers;
import io.quorate.store.etcd.EtcdShimServers;
import io.quorate.store.server.GlogLog;
import io.quorate.store.server.Licence;
import io.quorate.store.server.Program;
import io.quorate.store.server.ServerKind;
import io.quorate.store.server.ServerLauncher;
import io.quorate.store.server.ShimLauncher;
import io.quorate.store.server.StoreServers;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** cetcd: Consul's protocol in front of etcd. */
public final class CetcdStore extends Store {
  /** The shim. It has no release and no module that is served. */
  public static final Program CETCD =
      Program.builtByHand("cetcd", Licence.APACHE, "https://github.com/etcd-io/cetcd");

  private static final Capabilities CAPABILITIES =
      Capabilities.none("cetcd was not available for tests, and is no longer developed");

  private static final WatchSupport WATCHES =
      WatchSupport.none("cetcd was not available for tests, and is no longer developed");

  public static final Store STORE = new CetcdStore();

  public static final StoreServers SERVERS =
      new EtcdShimServers(
          STORE,
          ServerKind.of(CETCD, CetcdStore::launcher, new CetcdProtocol(), new GlogLog()),
          ConsulServers::removalCommand);

  private CetcdStore() {
    super("cetcd", "cetcd");
  }

  @Override
  public List<ClientKind> clients() {
    return List.of(
        new ClientKind(
            "http",
            () -> ConsulDriver.client(id(), ConsulDriver.Probe.KEY, CAPABILITIES, WATCHES)));
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
  public Optional<String> obstacleToTls() {
    return Optional.of("cetcd listens in plain text only, and reaches its etcd so");
  }

  private static ServerLauncher launcher(Path executable) {
    return new ShimLauncher(
        (clients, etcd) ->
            List.of(
                executable.toString(),
                "-consuladdr",
                clients.toString(),
                "-etcd",
                "http://" + etcd));
  }
}
