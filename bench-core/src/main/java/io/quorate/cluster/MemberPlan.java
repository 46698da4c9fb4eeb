package io.quorate.cluster;

import io.quorate.driver.Endpoint;
import java.nio.file.Path;
import java.util.List;

/**
 * A member that is to be started.
 *
 * @param ports of 127.0.0.1: first that of the clients, then as many others as its server needs
 */
record MemberPlan(int index, String name, List<Integer> ports, Path data, Path log) {
  MemberPlan {
    ports = List.copyOf(ports);
  }

  Endpoint endpoint() {
    return new Endpoint("127.0.0.1", ports.get(0));
  }
}
