// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.keeper;

import io.quorate.store.Access;
import io.quorate.store.Capabilities;
import io.quorate.store.Endpoint;
import io.quorate.store.Login;
import io.quorate.store.Operation;
import io.quorate.store.ReadConsistency;
import io.quorate.store.ReadGuarantee;
import io.quorate.store.Store;
import io.quorate.store.WatchSupport;
import io.quorate.store.server.LatencyPart;
import io.quorate.store.server.MetricEvidence;
import io.quorate.store.server.MetricSource;
import io.quorate.store.server.Program;
import io.quorate.store.server.ServerCourse;
import io.quorate.store.server.ServerInternals;
import io.quorate.store.server.ServerKind;
import io.quorate.store.server.ServerKnowledge;
import io.quorate.store.server.StoreServers;
import io.quorate.store.zookeeper.NodeLayout;
import io.quorate.store.zookeeper.ZooKeeperDriver;
import io.quorate.store.zookeeper.ZooKeeperInternals;
import io.quorate.store.zookeeper.ZooKeeperProtocol;
import io.quorate.store.zookeeper.ZooKeeperServers;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * ClickHouse Keeper: ZooKeeper's protocol over Raft. Quorate measures it where it runs. It was not
 * available for tests; the guide, other-servers.md, has the differences from ZooKeeper by its
 * source.
 */
public final class ClickHouseKeeperStore {
  private static final ZooKeeperProtocol PROTOCOL =
      new ZooKeeperProtocol(ZooKeeperProtocol.Product.CLICKHOUSE_KEEPER);

  private static final String ID = PROTOCOL.product().id();

  private static final String SESSIONS =
      "ClickHouse Keeper gives a client that connects again another session without a notice"
          + " (ClickHouse issue 116690)";

  private static final Capabilities CAPABILITIES =
      new Capabilities(
              Stream.concat(ZooKeeperDriver.OPERATIONS.stream(), Stream.of(Operation.RANGE))
                  .collect(Collectors.toSet()),
              Capabilities.RangeReads.NAMES,
              Capabilities.ANY_NUMBER,
              reasons())
          .withEphemeral();

  private static final WatchSupport WATCHES =
      new WatchSupport(
          WatchSupport.Delivery.LATEST,
          WatchSupport.Delivery.NONE,
          "its recursive watches name the watched node, not the changed one (ClickHouse issue"
              + " 115475)");

  public static final Store STORE =
      new Store(
          ID,
          PROTOCOL.product().title(),
          ZooKeeperDriver.kinds(ID, () -> NodeLayout.FLAT, CAPABILITIES, WATCHES),
          CAPABILITIES,
          WATCHES,
          read ->
              read == ReadConsistency.LINEARIZABLE
                  ? ReadGuarantee.LINEARIZABLE
                  : ReadGuarantee.STALE,
          Optional.empty(),
          Optional.empty(),
          Login.Kind.PASSWORD);

  public static final StoreServers SERVERS =
      new Servers(STORE, List.of(ServerKind.external(ID, PROTOCOL)));

  private ClickHouseKeeperStore() {}

  private static Map<Operation, String> reasons() {
    Map<Operation, String> reasons =
        ZooKeeperDriver.reasons("a session", "ZooKeeper's protocol", Map.of());
    reasons.put(Operation.RANGE, "ZooKeeper's protocol has no read of several values by prefix");
    reasons.put(Operation.COMPACT, "ClickHouse Keeper keeps the last value of a key only");
    Arrays.stream(Operation.values())
        .filter(Operation::isOfSessions)
        .forEach(each -> reasons.put(each, SESSIONS));
    return reasons;
  }

  /** It reports ZooKeeper's metrics; ZooKeeper's limits and timeouts do not apply to it. */
  private static final class Knowledge implements ServerKnowledge {
    private static final ServerKnowledge METRICS = ZooKeeperServers.SERVERS.knowledge();

    @Override
    public int color() {
      return 0x999933;
    }

    @Override
    public Map<ServerCourse, MetricSource> courses() {
      return METRICS.courses();
    }

    @Override
    public List<LatencyPart> latencyParts() {
      return METRICS.latencyParts();
    }

    @Override
    public List<MetricEvidence> evidence() {
      return METRICS.evidence();
    }

    @Override
    public Optional<String> dataSize() {
      return METRICS.dataSize();
    }
  }

  private record Servers(Store store, List<ServerKind> kinds) implements StoreServers {
    @Override
    public boolean hasPaths() {
      return true;
    }

    @Override
    public Optional<External> external() {
      return Optional.of(
          new External(
              Program.Licence.APACHE.id(),
              "'clickhouse-keeper --config /etc/clickhouse-keeper/keeper_config.xml'"));
    }

    @Override
    public Optional<ServerInternals> internals() {
      return Optional.of(new ZooKeeperInternals());
    }

    @Override
    public ServerKnowledge knowledge() {
      return new Knowledge();
    }

    @Override
    public Optional<String> removal(Endpoint server, Access access, String prefix) {
      return ZooKeeperServers.SERVERS.removal(server, access, prefix);
    }
  }
}
