package io.quorate.store;

import java.nio.file.Path;
import java.util.List;
import java.util.function.BiFunction;

/** Runs a shim, which keeps nothing itself, in front of one etcd. */
public final class ShimLauncher implements ServerLauncher {
  /** Of the endpoint for its clients, and of the one endpoint of etcd. */
  private final BiFunction<Endpoint, Endpoint, List<String>> command;

  private ShimLauncher(BiFunction<Endpoint, Endpoint, List<String>> command) {
    this.command = command;
  }

  /**
   * zetcd. With several endpoints of etcd it would answer "required revision is a future revision"
   * and end at some requests. Its log would otherwise go to files in the directory for temporary
   * ones.
   */
  public static ShimLauncher zetcd(Path executable) {
    return new ShimLauncher(
        (clients, etcd) ->
            List.of(
                executable.toString(),
                "--logtostderr",
                "--zkaddr",
                clients.toString(),
                "--endpoints",
                etcd.toString()));
  }

  /** cetcd. */
  public static ShimLauncher cetcd(Path executable) {
    return new ShimLauncher(
        (clients, etcd) ->
            List.of(
                executable.toString(),
                "-consuladdr",
                clients.toString(),
                "-etcd",
                "http://" + etcd));
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
