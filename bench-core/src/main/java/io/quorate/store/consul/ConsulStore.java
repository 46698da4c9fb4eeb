package io.quorate.store.consul;

import io.quorate.store.Capabilities;
import io.quorate.store.ClientKind;
import io.quorate.store.Login;
import io.quorate.store.Operation;
import io.quorate.store.ReadConsistency;
import io.quorate.store.ReadGuarantee;
import io.quorate.store.RequestPath;
import io.quorate.store.RequestPaths;
import io.quorate.store.Store;
import io.quorate.store.WatchSupport;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a client can do with the key-value store of HashiCorp Consul. */
public final class ConsulStore {
  private static final RequestPath LEADER = new RequestPath(1, 0, false);

  /**
   * A linearizable read may be confirmed by the answer to a heartbeat that was in flight when it
   * came, so no round trip of it is certain.
   */
  private static final RequestPaths PATHS =
      new RequestPaths(
          new RequestPath(1, 1, true),
          read -> read == ReadConsistency.STALE ? RequestPath.OWN : LEADER);

  static final WatchSupport WATCHES =
      new WatchSupport(
          WatchSupport.Delivery.LATEST,
          WatchSupport.Delivery.NONE,
          "Consul answers a blocking query of a prefix with all of its keys, at each change",
          true,
          false);

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

  /** The default client, on a separate connection: why is in the guide, semantics.md. */
  static final ClientKind HTTP =
      new ClientKind(
          "http", () -> ConsulDriver.client("consul", ConsulRequest.LEADER, CAPABILITIES, WATCHES));

  static final ClientKind LIBRARY = new ClientKind("library", ConsulLibraryConnection::client);

  public static final Store STORE =
      new Store(
          "consul",
          "Consul",
          List.of(HTTP, LIBRARY),
          CAPABILITIES,
          WATCHES,
          Map.of(
                  ReadConsistency.LINEARIZABLE,
                  ReadGuarantee.LINEARIZABLE,
                  ReadConsistency.DEFAULT,
                  ReadGuarantee.LEASE_OF_LEADER,
                  ReadConsistency.STALE,
                  ReadGuarantee.STALE)
              ::get,
          Optional.of(PATHS),
          Optional.empty(),
          Login.Kind.TOKEN);

  private ConsulStore() {}
}
