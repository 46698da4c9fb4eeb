package io.quorate.cluster;

import io.quorate.driver.Endpoint;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A server that is to be started: a member, or a part of one.
 *
 * @param index of its member, from 1
 * @param ports of 127.0.0.1: first that of the clients, then as many others as it needs
 * @param data the directory of its member, in which it runs
 * @param log where its output goes
 * @param behind where the server of the same member listens that this one stands in front of
 */
record ServerPlan(
    ServerKind kind,
    int index,
    List<Integer> ports,
    Path data,
    Path log,
    Optional<Endpoint> behind) {
  ServerPlan {
    ports = List.copyOf(ports);
  }

  /** Such as {@code etcd-1}. */
  String name() {
    return kind.id() + "-" + index;
  }

  /** Where its clients connect. */
  Endpoint endpoint() {
    return new Endpoint("127.0.0.1", ports.get(0));
  }
}
