package io.quorate.cluster.standing;

import io.quorate.cluster.Member;
import io.quorate.cluster.process.ProcessHandleInfo;
import io.quorate.store.Endpoint;
import io.quorate.stores.Stores;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The content of the state file of a cluster that was left running, or is being started.
 *
 * @param database its id
 * @param directory where its logs and data are, absolute
 * @param members in the order of their index; none as long as it is being started
 */
record PersistentCluster(String database, String directory, List<Standing> members) {
  /**
   * A member.
   *
   * @param servers first the one that clients connect to
   */
  record Standing(int index, String data, List<Server> servers) {
    Standing {
      requirePath(data);
      servers = List.copyOf(servers);
      if (index < 1) {
        throw new IllegalArgumentException("found the index " + index + ", expected 1 or more");
      }
      if (servers.isEmpty()) {
        throw new IllegalArgumentException("found no servers, expected one or two");
      }
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
  }

  /**
   * A server of a member.
   *
   * @param startedMillis when its process started, in milliseconds since 1970 as the system tells:
   *     with the pid, this tells it from another one that got the pid later
   */
  record Server(String name, String endpoint, long pid, long startedMillis, String log) {
    Server {
      Endpoint.parse(endpoint);
      requirePath(log);
      new ProcessHandleInfo(pid, startedMillis);
    }

    static Server of(Member.Server server) {
      ProcessHandleInfo process = ProcessHandleInfo.of(server.pid(), server.name());
      return new Server(
          server.name(),
          server.endpoint().toString(),
          process.pid(),
          process.startedMillis(),
          server.log().toString());
    }

    Member.Server server() {
      return new Member.Server(name, Endpoint.parse(endpoint), pid, Path.of(log));
    }
  }

  PersistentCluster {
    if (Stores.byId(database).isEmpty()) {
      throw new IllegalArgumentException(
          "found the database '%s', expected one of %s".formatted(database, Stores.all()));
    }
    requirePath(directory);
    members = List.copyOf(members);
  }

  private static void requirePath(String text) {
    try {
      if (!Path.of(text).isAbsolute()) {
        throw new IllegalArgumentException("found '" + text + "', expected an absolute path");
      }
    } catch (InvalidPathException wrong) {
      throw new IllegalArgumentException("found '" + text + "', expected an absolute path", wrong);
    }
  }

  /** Returns the directory of its data. */
  Path data() {
    return Path.of(directory).resolve("data");
  }

  /** Returns whether all processes of a member are running. */
  boolean runs(Standing member) {
    return member.servers().stream().allMatch(server -> process(server).isPresent());
  }

  /** Returns the running processes of all members. */
  Stream<ProcessHandle> processes() {
    return members.stream()
        .flatMap(member -> member.servers().stream())
        .map(this::process)
        .flatMap(Optional::stream);
  }

  private Optional<ProcessHandle> process(Server server) {
    return new ProcessHandleInfo(server.pid(), server.startedMillis()).serverIn(data());
  }
}
