package io.quorate.cluster;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Runs etcd: one process for a member, ports for clients and for peers. */
final class EtcdLauncher implements ServerLauncher {
  private static final long QUOTA_BYTES = 8L << 30;

  private final Path executable;

  EtcdLauncher(Path executable) {
    this.executable = executable;
  }

  @Override
  public int portsPerMember() {
    return 2;
  }

  @Override
  public List<String> command(MemberPlan member, List<MemberPlan> members) {
    String clients = url(member.ports().get(0));
    String peers = url(member.ports().get(1));
    String everybody =
        members.stream()
            .map(each -> each.name() + "=" + url(each.ports().get(1)))
            .collect(Collectors.joining(","));
    // with the ports in it, no server of another cluster is taken for one of this
    String token = "quorate-" + members.get(0).ports().get(1);
    List<String> command = new ArrayList<>(List.of(executable.toString()));
    command.addAll(List.of("--name", member.name(), "--data-dir", member.data().toString()));
    command.addAll(List.of("--listen-client-urls", clients, "--advertise-client-urls", clients));
    command.addAll(List.of("--listen-peer-urls", peers, "--initial-advertise-peer-urls", peers));
    command.addAll(List.of("--initial-cluster", everybody, "--initial-cluster-state", "new"));
    command.addAll(List.of("--initial-cluster-token", token));
    command.addAll(List.of("--quota-backend-bytes", Long.toString(QUOTA_BYTES)));
    command.addAll(List.of("--log-level", "warn"));
    return command;
  }

  /** Every variable that begins with ETCD is a setting to etcd. */
  @Override
  public void clean(Map<String, String> environment) {
    environment.keySet().removeIf(name -> name.startsWith("ETCD"));
  }

  private static String url(int port) {
    return "http://127.0.0.1:" + port;
  }
}
