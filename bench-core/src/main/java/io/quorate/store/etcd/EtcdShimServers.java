// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.ServerSettings;
import io.quorate.store.Setting;
import io.quorate.store.Store;
import io.quorate.store.server.Program;
import io.quorate.store.server.ServerKind;
import io.quorate.store.server.ServerKnowledge;
import io.quorate.store.server.StoreServers;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A store that speaks the protocol of another store: shims, each in front of a separate etcd.
 *
 * @param program program of the shim
 * @param shim describes shims of a program
 * @param other the servers of the other store
 */
public record EtcdShimServers(
    Store store,
    Program program,
    Function<Program, ServerKind> shim,
    StoreServers other,
    ServerKnowledge knowledge)
    implements StoreServers {
  @Override
  public List<ServerKind> kinds() {
    return Stream.concat(Stream.of(shim.apply(program)), EtcdServers.SERVERS.kinds().stream())
        .toList();
  }

  /** Returns the servers of the user's own program; other releases have no module to build. */
  @Override
  public Optional<StoreServers> inVersion(String version) {
    return Optional.of(program.inVersion(version))
        .filter(each -> each.isInstallable() && each.isOwn())
        .map(own -> new EtcdShimServers(store.inVersion(version), own, shim, other, knowledge));
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
