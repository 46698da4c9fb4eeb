// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A target of host metrics: the processes of a member or of the load generator.
 *
 * @param name name for messages, such as {@code etcd-1}
 * @param pids its processes on this machine, at least one; their values are summed
 * @param dataDirectory directory whose disk is measured
 * @param networkInterface network interface that carries its traffic, such as {@code lo}
 * @param extra returns the value of the column EXTRA: the current number of clients, or nothing.
 *     Called once a second on the sampler's thread
 * @param rawFile file that gets a row each second, with the ending {@code .csv}
 */
public record Target(
    String name,
    List<Long> pids,
    Optional<Path> dataDirectory,
    Optional<String> networkInterface,
    Supplier<String> extra,
    Path rawFile) {
  public Target {
    pids = List.copyOf(pids);
    if (pids.isEmpty()) {
      throw new IllegalArgumentException(name + " has no process");
    }
  }
}
