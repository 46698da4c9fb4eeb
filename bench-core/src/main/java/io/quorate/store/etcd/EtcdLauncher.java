package io.quorate.store.etcd;

import io.quorate.store.server.MemberKeys;
import io.quorate.store.server.ServerLauncher;
import io.quorate.store.server.ServerPlan;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Runs etcd: ports for clients and for peers. */
public final class EtcdLauncher implements ServerLauncher {
  private final Path executable;

  public EtcdLauncher(Path executable) {
    this.executable = executable;
  }

  @Override
  public int portsPerServer() {
    return 2;
  }

  @Override
  public List<String> command(ServerPlan server, List<ServerPlan> peers) {
    String clients = scheme(server) + "://" + server.endpoint();
    String others = scheme(server) + "://" + server.host() + ":" + server.port(1);
    String reached = peerUrl(server, server);
    String everybody =
        peers.stream()
            .map(each -> each.name() + "=" + peerUrl(server, each))
            .collect(Collectors.joining(","));
    // with the ports in it, no server of another cluster is taken for one of this
    String token = "quorate-" + peers.get(0).port(1);
    List<String> command = new ArrayList<>(List.of(executable.toString()));
    command.addAll(List.of("--name", server.name(), "--data-dir", server.data().toString()));
    command.addAll(List.of("--listen-client-urls", clients, "--advertise-client-urls", clients));
    command.addAll(List.of("--listen-peer-urls", others, "--initial-advertise-peer-urls", reached));
    command.addAll(List.of("--initial-cluster", everybody, "--initial-cluster-state", "new"));
    command.addAll(List.of("--initial-cluster-token", token));
    command.addAll(server.settings().rendered(EtcdServers.SETTINGS));
    command.addAll(List.of("--log-level", "warn"));
    server.keys().ifPresent(keys -> command.addAll(secured(keys)));
    return command;
  }

  /** Removes variables that begin with ETCD, as every one is a setting to etcd. */
  @Override
  public void clean(Map<String, String> environment) {
    environment.keySet().removeIf(name -> name.startsWith("ETCD"));
  }

  /** Returns the URL of a peer, which speaks as this server does. */
  private static String peerUrl(ServerPlan server, ServerPlan peer) {
    return scheme(server) + "://" + peer.peerHost() + ":" + peer.port(1);
  }

  private static String scheme(ServerPlan server) {
    return server.keys().isPresent() ? "https" : "http";
  }

  /** Returns the options for TLS with clients and with peers, who all need a certificate. */
  private static List<String> secured(MemberKeys keys) {
    List<String> options = new ArrayList<>();
    for (String prefix : List.of("--", "--peer-")) {
      options.addAll(List.of(prefix + "cert-file", keys.certificate().toString()));
      options.addAll(List.of(prefix + "key-file", keys.key().toString()));
      options.addAll(List.of(prefix + "trusted-ca-file", keys.authority().toString()));
      options.add(prefix + "client-cert-auth");
    }
    options.addAll(List.of("--tls-min-version", "TLS1.2"));
    return options;
  }
}
