package io.quorate.cluster;

import io.quorate.QuorateException;
import io.quorate.driver.Endpoint;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A cluster that was left running: what its state file holds.
 *
 * @param database its id
 * @param directory where its logs and data are, absolute
 * @param members in the order of their index
 */
record StandingCluster(String database, String directory, List<Standing> members) {
  /**
   * A member.
   *
   * @param servers first the one that clients connect to
   */
  record Standing(int index, String data, List<Server> servers) {
    Standing {
      servers = List.copyOf(servers);
    }

    static Standing of(Member member) {
      return new Standing(
          member.index(),
          member.dataDirectory().orElseThrow().toString(),
          member.servers().stream().map(Server::of).toList());
    }

    Member member() {
      return Member.of(index, servers.stream().map(Server::server).toList(), Path.of(data));
    }

    /** Whether all its processes are there. */
    boolean runs() {
      return servers.stream().allMatch(server -> server.process().isPresent());
    }
  }

  /**
   * A server of a member.
   *
   * @param startedMillis when its process started, in milliseconds since 1970 as the system tells:
   *     with the pid, this tells it from a stranger that got the pid later
   */
  record Server(String name, String endpoint, long pid, long startedMillis, String log) {
    /**
     * The start of a process is known to the hundredth of a second, the clock may be set a little.
     */
    private static final Duration START_TOLERANCE = Duration.ofSeconds(2);

    static Server of(Member.Server server) {
      return new Server(
          server.name(),
          server.endpoint().toString(),
          server.pid(),
          ProcessHandle.of(server.pid())
              .flatMap(process -> process.info().startInstant())
              .orElseThrow(() -> new QuorateException(server.name() + " has just ended"))
              .toEpochMilli(),
          server.log().toString());
    }

    Member.Server server() {
      return new Member.Server(name, Endpoint.parse(endpoint), pid, Path.of(log));
    }

    /** Its process, if it is there and is not another one with its pid. */
    Optional<ProcessHandle> process() {
      return ProcessHandle.of(pid).filter(Liveness::isAlive).filter(this::isOurs);
    }

    private boolean isOurs(ProcessHandle process) {
      Instant started = Instant.ofEpochMilli(startedMillis);
      return process
          .info()
          .startInstant()
          .filter(actual -> Duration.between(started, actual).abs().compareTo(START_TOLERANCE) <= 0)
          .isPresent();
    }
  }

  StandingCluster {
    members = List.copyOf(members);
  }

  /** The processes of all members that are still there. */
  Stream<ProcessHandle> processes() {
    return members.stream()
        .flatMap(member -> member.servers().stream())
        .map(Server::process)
        .flatMap(Optional::stream);
  }
}
