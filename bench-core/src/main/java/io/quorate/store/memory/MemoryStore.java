// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.memory;

import io.quorate.store.Capabilities;
import io.quorate.store.ClientKind;
import io.quorate.store.Login;
import io.quorate.store.Operation;
import io.quorate.store.ReadGuarantee;
import io.quorate.store.Store;
import io.quorate.store.WatchSupport;
import io.quorate.store.server.Program;
import io.quorate.store.server.ServerKind;
import io.quorate.store.server.ServerKnowledge;
import io.quorate.store.server.StoreServers;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Describes a map in the load generator's own process, which shows the limits of the load generator
 * itself.
 */
public final class MemoryStore {
  private static final String NO_LEASES = "nothing in the map ends by itself";

  static final Capabilities CAPABILITIES =
      new Capabilities(
              MemoryDriver.OPERATIONS,
              Capabilities.RangeReads.LIMITED,
              128,
              Map.of(
                  Operation.TXN,
                  Capabilities.NEEDS_EXISTING_KEYS,
                  Operation.COMPACT,
                  "the map keeps the last value of a key only",
                  Operation.LEASE_GRANT,
                  NO_LEASES,
                  Operation.LEASE_KEEPALIVE,
                  NO_LEASES))
          .withReadsInTxn();

  private static final WatchSupport WATCHES =
      new WatchSupport(WatchSupport.Delivery.EVERY_CHANGE, WatchSupport.Delivery.EVERY_CHANGE, "");
  public static final Store STORE =
      new Store(
          "memory",
          "in-memory map",
          List.of(new ClientKind("map", MemoryDriver::client)),
          CAPABILITIES,
          WATCHES,
          any -> ReadGuarantee.LINEARIZABLE,
          Optional.empty(),
          Optional.of("the in-memory map has no network"),
          Login.Kind.NONE,
          false,
          Optional.empty(),
          Optional.empty(),
          null);
  public static final StoreServers SERVERS = new NoServers(STORE, List.of());

  private record NoServers(Store store, List<ServerKind> kinds) implements StoreServers {
    @Override
    public ServerKnowledge knowledge() {
      return () -> 0x56b4e9;
    }

    @Override
    public Optional<Bundled> bundled() {
      return Optional.of(
          new Bundled(Optional.empty(), Program.Licence.APACHE.id(), "a map in Quorate itself"));
    }
  }

  private MemoryStore() {}
}
