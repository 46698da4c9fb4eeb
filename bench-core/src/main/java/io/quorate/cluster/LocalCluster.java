package io.quorate.cluster;

import io.quorate.driver.Database;
import io.quorate.install.Installation;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Servers that this program runs itself, on 127.0.0.1, for as long as it lives: they end with
 * {@link #close()}, and also when this JVM ends in whatever way, within 10 seconds and with their
 * data.
 */
public final class LocalCluster implements Cluster {
  private final Database database;
  private final GuardedProcesses processes;
  private final List<Member> members;
  private final ServerProtocol protocol;

  private LocalCluster(Database database, GuardedProcesses processes) {
    this.database = database;
    this.processes = processes;
    this.members = processes.servers().stream().map(LocalCluster::member).toList();
    this.protocol = ServerProtocol.of(database);
  }

  /** As {@link #start(Database, int, Path, ClusterSettings)} with what this user has installed. */
  public static Cluster start(Database database, int members, Path directory) {
    return start(database, members, directory, ClusterSettings.defaults(Installation.ofThisUser()));
  }

  /**
   * Starts servers and waits until all of them serve requests and one leads.
   *
   * @param members 1, 3 or 5; the in-memory map has one whatever is asked for, without a process
   * @param directory gets {@code logs/etcd-1.log} and so on, which stay, and {@code data/etcd-1}
   *     and so on, which are removed at the end
   * @throws io.quorate.QuorateException if a server is not installed, cannot listen, ends, or is
   *     not ready in time; with the last lines of its log. No server is left running then
   */
  public static Cluster start(
      Database database, int members, Path directory, ClusterSettings settings) {
    if (members != 1 && members != 3 && members != 5) {
      throw new IllegalArgumentException("a local cluster has 1, 3 or 5 members, not " + members);
    }
    if (database == Database.MEMORY) {
      return new MemoryCluster();
    }
    Ports ports =
        settings
            .basePort()
            .map(Ports::from)
            .orElseGet(() -> Ports.free(ThreadLocalRandom.current()));
    return start(new Startup(database, members, absolute(directory), settings, ports, false));
  }

  static Cluster start(Startup startup) {
    return new LocalCluster(startup.database(), startup.run());
  }

  static Path absolute(Path directory) {
    return directory.toAbsolutePath().normalize();
  }

  static Member member(ServerProcess server) {
    MemberPlan plan = server.plan();
    return new Member(
        plan.index(),
        plan.name(),
        plan.endpoint(),
        List.of(server.pid()),
        Optional.of(plan.data()),
        Optional.of(plan.log()));
  }

  @Override
  public Database database() {
    return database;
  }

  @Override
  public List<Member> members() {
    return members;
  }

  @Override
  public Optional<Member> leader() {
    return protocol.leader(members);
  }

  @Override
  public String version() {
    return protocol.version(database, members);
  }

  @Override
  public List<String> failures() {
    return processes.failures();
  }

  @Override
  public void close() {
    processes.stop();
  }
}
