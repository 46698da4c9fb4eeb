package io.quorate.cluster;

import io.quorate.store.Endpoint;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * One member of a cluster.
 *
 * @param index from 1, as servers are numbered in the files of a run
 * @param name such as {@code etcd-1}
 * @param endpoint where clients connect
 * @param servers the processes that it consists of, empty when it is not ours. First the one that
 *     clients connect to; a member of zetcd or cetcd then has its etcd. The last stores the data
 * @param dataDirectory where it stores its data, when that is on this machine
 */
public record Member(
    int index, String name, Endpoint endpoint, List<Server> servers, Optional<Path> dataDirectory) {
  /**
   * A process of a member on this machine.
   *
   * @param name such as {@code etcd-1}; that of the first is the member's
   * @param endpoint where it listens for its clients
   * @param log where its output goes
   */
  public record Server(String name, Endpoint endpoint, long pid, Path log) {}

  public Member {
    servers = List.copyOf(servers);
  }

  public static Member of(int index, List<Server> servers, Path data) {
    Server first = servers.get(0);
    return new Member(index, first.name(), first.endpoint(), servers, Optional.of(data));
  }

  /** Returns a member elsewhere, of which only this is known. */
  static Member elsewhere(int index, String name, Endpoint endpoint) {
    return new Member(index, name, endpoint, List.of(), Optional.empty());
  }

  /**
   * Returns where it listens itself, if it is ours: there it is asked for its metrics, as its
   * answers would take up the link between zones that a relay makes.
   */
  public Endpoint ownEndpoint() {
    return servers.isEmpty() ? endpoint : servers.get(0).endpoint();
  }

  /** Returns the processes of {@link #servers()}, in that order. */
  public List<Long> pids() {
    return servers.stream().map(Server::pid).toList();
  }

  /** Returns the log of the server that clients connect to, when it is ours. */
  public Optional<Path> log() {
    return servers.stream().map(Server::log).findFirst();
  }
}
