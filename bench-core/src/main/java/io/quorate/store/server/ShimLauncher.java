package io.quorate.store.server;

import io.quorate.store.Endpoint;
import java.util.List;
import java.util.function.BiFunction;

/** Runs a shim, which keeps nothing itself, in front of one etcd. */
public final class ShimLauncher implements ServerLauncher {
  private final BiFunction<Endpoint, Endpoint, List<String>> command;

  /**
   * Runs a shim.
   *
   * @param command makes the command line of the endpoint for its clients and of that of etcd
   */
  public ShimLauncher(BiFunction<Endpoint, Endpoint, List<String>> command) {
    this.command = command;
  }

  @Override
  public int portsPerServer() {
    return 1;
  }

  @Override
  public List<String> command(ServerPlan server, List<ServerPlan> peers) {
    return command.apply(server.endpoint(), server.behind().orElseThrow());
  }
}
