// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import io.quorate.store.Capabilities;
import io.quorate.store.ClientKind;
import io.quorate.store.Login;
import io.quorate.store.Operation;
import io.quorate.store.ReadConsistency;
import io.quorate.store.ReadGuarantee;
import io.quorate.store.RequestPath;
import io.quorate.store.RequestPaths;
import io.quorate.store.SessionSupport;
import io.quorate.store.Store;
import io.quorate.store.WatchSupport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Describes Apache ZooKeeper for clients. */
public final class ZooKeeperStore {
  private static final String ID = "zookeeper";

  private static final Capabilities CAPABILITIES =
      new Capabilities(
              Stream.concat(ZooKeeperDriver.OPERATIONS.stream(), Stream.of(Operation.RANGE))
                  .collect(Collectors.toSet()),
              Capabilities.RangeReads.NAMES,
              Capabilities.ANY_NUMBER,
              ZooKeeperDriver.reasons(
                  "a session of ZooKeeper",
                  "ZooKeeper",
                  Map.of(
                      Operation.TXN,
                      Capabilities.NEEDS_EXISTING_KEYS,
                      Operation.RANGE,
                      "ZooKeeper lists the children of a node, and has no read of several values by"
                          + " prefix",
                      Operation.COMPACT,
                      "ZooKeeper keeps the last value of a key only")))
          .withExpiry(Capabilities.Expiry.TTL)
          .withEphemeral()
          .withNonVoters(new Capabilities.NonVoters(Optional.of("observer"), false, ""));

  /** The round trips of requests. A sync asks only the leader, which answers without a majority. */
  private static final RequestPaths PATHS =
      new RequestPaths(
          new RequestPath(1, 1, true),
          read ->
              read == ReadConsistency.LINEARIZABLE
                  ? new RequestPath(1, 0, false)
                  : RequestPath.OWN);

  private static final WatchSupport WATCHES =
      new WatchSupport(WatchSupport.Delivery.LATEST, WatchSupport.Delivery.EVERY_KEY, "");

  public static final Store STORE =
      new Store(
              ID,
              "ZooKeeper",
              kinds(),
              CAPABILITIES,
              WATCHES,
              read ->
                  read == ReadConsistency.LINEARIZABLE
                      ? ReadGuarantee.SYNCED_WITH_LEADER
                      : ReadGuarantee.STALE,
              Optional.of(PATHS),
              Optional.empty(),
              Login.Kind.PASSWORD)
          .withSessions(new SessionSupport(Duration.ofSeconds(4), Duration.ofSeconds(40), true));

  private ZooKeeperStore() {}

  private static List<ClientKind> kinds() {
    List<ClientKind> kinds =
        new ArrayList<>(ZooKeeperDriver.kinds(ID, () -> NodeLayout.FLAT, CAPABILITIES, WATCHES));
    kinds.add(ZooKeeperLibrary.curator(ID, CAPABILITIES, WATCHES));
    return kinds;
  }
}
