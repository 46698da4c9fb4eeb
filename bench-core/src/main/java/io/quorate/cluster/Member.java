// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import io.quorate.store.Endpoint;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * One member of a cluster.
 *
 * @param index index from 1, as in the names of files of a run
 * @param name name such as {@code etcd-1}
 * @param endpoint address where clients connect
 * @param servers its processes; empty if Quorate did not start it. The first is the one that
 *     clients connect to; a member of zetcd or cetcd then has its etcd. The last stores the data
 * @param dataDirectory directory of its data, if that is on this machine
 */
public record Member(
    int index, String name, Endpoint endpoint, List<Server> servers, Optional<Path> dataDirectory) {
  /**
   * A process of a member on this machine.
   *
   * @param name name such as {@code etcd-1}; the first process has the member's name
   * @param endpoint address where it listens for its clients
   * @param log file with its output
   */
  public record Server(String name, Endpoint endpoint, long pid, Path log) {}

  public Member {
    servers = List.copyOf(servers);
  }

  public static Member of(int index, List<Server> servers, Path data) {
    Server first = servers.get(0);
    return new Member(index, first.name(), first.endpoint(), servers, Optional.of(data));
  }

  /** Returns a member on another machine, with no further information. */
  public static Member elsewhere(int index, String name, Endpoint endpoint) {
    return new Member(index, name, endpoint, List.of(), Optional.empty());
  }

  /**
   * Returns the address where it listens itself, if Quorate started it. Metrics are requested
   * there: otherwise the answers would use bandwidth of the relay's links between zones.
   */
  public Endpoint ownEndpoint() {
    return servers.isEmpty() ? endpoint : servers.get(0).endpoint();
  }

  /** Returns the processes of {@link #servers()}, in that order. */
  public List<Long> pids() {
    return servers.stream().map(Server::pid).toList();
  }

  /** Returns the log of the server that clients connect to, if Quorate started it. */
  public Optional<Path> log() {
    return servers.stream().map(Server::log).findFirst();
  }
}
