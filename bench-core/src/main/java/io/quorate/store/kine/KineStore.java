// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.kine;

import io.quorate.store.Access;
import io.quorate.store.Capabilities;
import io.quorate.store.ClientKind;
import io.quorate.store.Endpoint;
import io.quorate.store.Login;
import io.quorate.store.Operation;
import io.quorate.store.ReadConsistency;
import io.quorate.store.ReadGuarantee;
import io.quorate.store.Store;
import io.quorate.store.WatchSupport;
import io.quorate.store.etcd.EtcdDriver;
import io.quorate.store.etcd.GrpcStatus;
import io.quorate.store.server.Program;
import io.quorate.store.server.ServerKind;
import io.quorate.store.server.ServerKnowledge;
import io.quorate.store.server.ServerProtocol;
import io.quorate.store.server.StoreServers;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * kine: etcd's protocol in front of a database of SQL, as far as Kubernetes needs it. Quorate
 * measures it where it runs. The guide, other-servers.md, has the differences from etcd by its
 * source.
 */
public final class KineStore {
  private static final String TRANSACTIONS =
      "kine accepts only the transactions of Kubernetes: create, update or delete one key";

  private static final Capabilities CAPABILITIES =
      new Capabilities(
          Set.of(
              Operation.PUT,
              Operation.GET,
              Operation.RANGE,
              Operation.REVISION,
              Operation.LEASE_GRANT,
              Operation.OPTIMISTIC_CREATE,
              Operation.OPTIMISTIC_UPDATE,
              Operation.OPTIMISTIC_DELETE),
          Capabilities.RangeReads.LIMITED,
          0,
          Map.of(
              Operation.DELETE,
              "kine deletes a key only by its revision, as optimistic-delete does",
              Operation.COMPARE_AND_SET,
              TRANSACTIONS,
              Operation.TXN,
              TRANSACTIONS,
              Operation.STM,
              TRANSACTIONS,
              Operation.COMPACT,
              "kine is an existing cluster, where a compaction discards the history of all keys",
              Operation.LEASE_KEEPALIVE,
              "kine keeps no leases: each key ends after its time to live"));

  private static final WatchSupport WATCHES =
      new WatchSupport(
          WatchSupport.Delivery.EVERY_CHANGE, WatchSupport.Delivery.EVERY_CHANGE, "", false, true);

  public static final Store STORE =
      new Store(
          GrpcStatus.KINE,
          "kine",
          List.of(new ClientKind("http2", EtcdDriver::client)),
          CAPABILITIES,
          WATCHES,
          read ->
              read == ReadConsistency.SERIALIZABLE
                  ? ReadGuarantee.REFUSED
                  : ReadGuarantee.LINEARIZABLE,
          Optional.empty(),
          Optional.empty(),
          Login.Kind.NONE);

  public static final StoreServers SERVERS =
      new Servers(STORE, List.of(ServerKind.external(STORE.id(), new Protocol())));

  private KineStore() {}

  /** Its metrics are at another address than its clients' requests, so none are read. */
  private record Servers(Store store, List<ServerKind> kinds) implements StoreServers {
    @Override
    public ServerKnowledge knowledge() {
      return () -> 0x000000;
    }

    @Override
    public Optional<External> external() {
      return Optional.of(
          new External(
              Program.Licence.APACHE.id(),
              "'CGO_ENABLED=0 go install github.com/k3s-io/kine@v0.17.5' and"
                  + " 'kine --listen-address 127.0.0.1:2379 --metrics-bind-address 0'"));
    }
  }

  /** Asks for its status over gRPC, as it does not answer over HTTP. It has no members to lead. */
  private static final class Protocol implements ServerProtocol {
    @Override
    public State ask(Endpoint endpoint, Access access, Duration timeout) throws IOException {
      return GrpcStatus.ask(GrpcStatus.KINE, endpoint, access, timeout);
    }

    @Override
    public boolean tellsLeader() {
      return false;
    }
  }
}
