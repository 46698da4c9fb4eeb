package io.quorate.store.etcd;

import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.ServerSettings;
import io.quorate.store.Setting;
import io.quorate.store.Store;
import io.quorate.store.server.ServerKind;
import io.quorate.store.server.ServerLauncher;
import io.quorate.store.server.ServerPlan;
import io.quorate.store.server.StoreServers;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/** A store that speaks the protocol of another store: shims, each in front of a separate etcd. */
public record EtcdShimServers(Store store, ServerKind shim, Removal removal)
    implements StoreServers {
  /** Creates the command that removes all keys with a prefix. */
  @FunctionalInterface
  public interface Removal {
    String command(Endpoint server, Access access, String prefix);
  }

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
    return Optional.of(removal.command(server, access, prefix));
  }

  /** Runs a shim, whose command line contains the endpoints for its clients and of its etcd. */
  public record Launcher(BiFunction<Endpoint, Endpoint, List<String>> commands)
      implements ServerLauncher {
    @Override
    public int portsPerServer() {
      return 1;
    }

    @Override
    public List<String> command(ServerPlan server, List<ServerPlan> peers) {
      return commands.apply(server.endpoint(), server.behind().orElseThrow());
    }
  }
}
