package io.quorate.cluster;

import io.quorate.driver.Endpoint;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * One server of a cluster.
 *
 * @param index from 1, as servers are numbered in the files of a run
 * @param name such as {@code etcd-1}
 * @param endpoint where clients connect
 * @param pids its processes on this machine, empty when it is not ours
 * @param dataDirectory where it stores its data, when that is on this machine
 * @param log where its output goes, when it is ours
 */
public record Member(
    int index,
    String name,
    Endpoint endpoint,
    List<Long> pids,
    Optional<Path> dataDirectory,
    Optional<Path> log) {
  public Member {
    pids = List.copyOf(pids);
  }
}
