// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.consul;

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
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Describes the key-value store of HashiCorp Consul for clients. */
public final class ConsulStore {
  private static final RequestPath LEADER = new RequestPath(1, 0, false);

  /**
   * The round trips of requests. A heartbeat that is already in flight may confirm a linearizable
   * read, so such a read has no certain round trip.
   */
  private static final RequestPaths PATHS =
      new RequestPaths(
          new RequestPath(1, 1, true),
          read -> read == ReadConsistency.SERIALIZABLE ? RequestPath.OWN : LEADER);

  static final WatchSupport WATCHES =
      new WatchSupport(WatchSupport.Delivery.LATEST, WatchSupport.Delivery.LATEST, "", true, false);

  private static final String NO_CURRENT = "Consul returns no current value when a condition fails";

  static final Capabilities CAPABILITIES =
      new Capabilities(
              ConsulOperation.all(),
              Capabilities.RangeReads.ALL,
              128,
              Map.of(
                  Operation.TXN,
                  Capabilities.NEEDS_EXISTING_KEYS,
                  Operation.RANGE,
                  "Consul returns all keys of a prefix, and neither limits nor counts them",
                  Operation.COMPACT,
                  "Consul keeps the last value of a key only",
                  Operation.OPTIMISTIC_CREATE,
                  NO_CURRENT,
                  Operation.OPTIMISTIC_UPDATE,
                  NO_CURRENT,
                  Operation.OPTIMISTIC_DELETE,
                  NO_CURRENT))
          .withReadsInTxn()
          .withExpiry(Capabilities.Expiry.LEASE)
          .withNonVoters(
              Capabilities.NonVoters.none("only Consul Enterprise has servers without a vote"));

  /** The default client, without Consul's library; the guide, clients.md, explains why. */
  static final ClientKind HTTP =
      new ClientKind(
          "http", () -> ConsulDriver.client("consul", ConsulRequest.LEADER, CAPABILITIES, WATCHES));

  static final ClientKind LIBRARY =
      new ClientKind("library", ConsulLibraryConnection::client)
          .without(Operation.REGISTER, Operation.EXPIRE);

  public static final Store STORE =
      new Store(
              "consul",
              "Consul",
              List.of(HTTP, LIBRARY),
              CAPABILITIES,
              WATCHES,
              read ->
                  switch (read) {
                    case LINEARIZABLE -> ReadGuarantee.LINEARIZABLE;
                    case DEFAULT -> ReadGuarantee.LEASE_OF_LEADER;
                    case SERIALIZABLE -> ReadGuarantee.STALE;
                  },
              Optional.of(PATHS),
              Optional.empty(),
              Login.Kind.TOKEN)
          .withSessions(
              new SessionSupport(Duration.ofSeconds(10), Duration.ofSeconds(86_400), false));

  private ConsulStore() {}
}
