// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.ServerSettings;
import io.quorate.store.Setting;
import io.quorate.store.Store;
import io.quorate.store.server.ServerKind;
import io.quorate.store.server.ServerKnowledge;
import io.quorate.store.server.StoreServers;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A store that speaks the protocol of another store: shims, each in front of a separate etcd.
 *
 * @param other the servers of the other store
 */
public record EtcdShimServers(
    Store store, ServerKind shim, StoreServers other, ServerKnowledge knowledge)
    implements StoreServers {
  @Override
  public List<ServerKind> kinds() {
    return Stream.concat(Stream.of(shim), EtcdServers.SERVERS.kinds().stream()).toList();
  }

  @Override
  public List<Setting> settings() {
    return EtcdServers.SERVERS.settings();
  }

  @Override
  public Optional<ServerSettings.Conflict> conflict(ServerSettings settings) {
    return EtcdServers.SERVERS.conflict(settings);
  }

  @Override
  public Optional<String> removal(Endpoint server, Access access, String prefix) {
    return other.removal(server, access, prefix);
  }
}
