package io.quorate.store.etcd;

import io.quorate.store.Capabilities;
import io.quorate.store.ClientKind;
import io.quorate.store.Login;
import io.quorate.store.ReadConsistency;
import io.quorate.store.ReadGuarantee;
import io.quorate.store.RequestPath;
import io.quorate.store.RequestPaths;
import io.quorate.store.Store;
import io.quorate.store.WatchSupport;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a client can do with etcd v3. */
public final class EtcdStore extends Store {
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

  public static final Store STORE = new EtcdStore();

  private EtcdStore() {
    super("etcd", "etcd");
  }

  private EtcdStore(String version) {
    super(STORE, version);
  }

  static Store version(String version) {
    return new EtcdStore(version);
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
  public Optional<RequestPaths> paths() {
    return Optional.of(PATHS);
  }
}
