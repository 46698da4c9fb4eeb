// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.capacity;

import com.sun.management.OperatingSystemMXBean;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.Member;
import io.quorate.host.BlockDevice;
import io.quorate.host.BusyNetwork;
import io.quorate.host.HostCpu;
import io.quorate.host.NetworkPath;
import io.quorate.results.capacity.ServerActivity;
import io.quorate.store.server.ServerInternals;
import io.quorate.store.server.StoreServers;
import io.quorate.stores.Stores;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Watches the members of a cluster during a measurement: their CPUs, their disk, the network to
 * them, their reported waits, and their snapshots. It also watches the CPUs of this process. Values
 * of members on other machines are missing if they are not accessible. For one thread.
 */
final class ClusterMonitor {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double MILLIS_PER_SECOND = 1e3;
  private static final int MAX_SNAPSHOT = 4;
  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private final Cluster cluster;

  /** The source of each member's metrics; none if servers do not report for what they wait. */
  private final Map<Member, ServerInternals> internals = new LinkedHashMap<>();

  /** Names of snapshots in the data of all members; empty if these are not accessible. */
  private final Optional<Pattern> snapshotFiles;

  private final Optional<String> disk;
  private final BusyNetwork network;
  private final HostCpu hostCpu = new HostCpu();

  /** Whether it can read the CPU use of all servers on this machine. */
  final boolean seesServersHere;

  private List<Double> cpuSeconds = List.of();
  private OptionalLong diskMillis = OptionalLong.empty();
  private Map<Path, Long> traffic;
  private Set<Path> snapshots = Set.of();
  private long ownCpuNanos;
  private long beginNanos;

  ClusterMonitor(Cluster cluster) {
    this.cluster = cluster;
    StoreServers servers = Stores.servers(cluster.database());
    for (Member member : cluster.members()) {
      servers
          .internals()
          .filter(source -> !source.waits().isEmpty())
          .ifPresent(source -> internals.put(member, source));
    }
    this.snapshotFiles =
        servers
            .snapshots()
            .filter(
                like -> cluster.members().stream().allMatch(m -> m.dataDirectory().isPresent()));
    this.disk =
        cluster.members().stream()
            .flatMap(member -> member.dataDirectory().stream())
            .findFirst()
            .flatMap(BlockDevice::under);
    this.network =
        BusyNetwork.to(cluster.members().stream().map(member -> member.endpoint().host()).toList());
    this.traffic = network.traffic();
    this.seesServersHere =
        !cluster.database().hasServers()
            || cluster.members().stream()
                .noneMatch(
                    each -> each.pids().isEmpty() && NetworkPath.mayBeHere(each.endpoint().host()));
  }

  /**
   * The activity of the members and of this process in an interval.
   *
   * @param cores CPUs that all members used together; empty if some are on other machines
   * @param loadGeneratorCores CPUs that this process used
   * @param machineBusy utilization of this machine, 0 to 1; empty if unknown
   */
  record Seen(
      OptionalDouble cores,
      double loadGeneratorCores,
      OptionalDouble machineBusy,
      ServerActivity activity) {}

  void begin() {
    waits();
    snapshots = snapshotsNow();
    diskMillis = disk.map(BlockDevice::busyMillis).orElse(OptionalLong.empty());
    traffic = network.traffic();
    cpuSeconds = cpuSecondsNow();
    hostCpu.begin();
    ownCpuNanos = SYSTEM.getProcessCpuTime();
    beginNanos = System.nanoTime();
  }

  Seen end() {
    double seconds = (System.nanoTime() - beginNanos) / NANOS_PER_SECOND;
    double ownCores = (SYSTEM.getProcessCpuTime() - ownCpuNanos) / NANOS_PER_SECOND / seconds;
    OptionalDouble machineBusy = hostCpu.busy();
    List<Double> now = cpuSecondsNow();
    List<Double> cores =
        IntStream.range(0, Math.min(now.size(), cpuSeconds.size()))
            .mapToObj(i -> (now.get(i) - cpuSeconds.get(i)) / seconds)
            .toList();
    OptionalLong busy = disk.map(BlockDevice::busyMillis).orElse(OptionalLong.empty());
    ServerActivity activity =
        new ServerActivity(
            cores.stream().mapToDouble(each -> each).max(),
            busy.isPresent() && diskMillis.isPresent()
                ? OptionalDouble.of(
                    Math.min(
                        1,
                        (busy.getAsLong() - diskMillis.getAsLong()) / MILLIS_PER_SECOND / seconds))
                : OptionalDouble.empty(),
            network.usedPart(traffic, seconds),
            waits(),
            begunSnapshots());
    return new Seen(
        cores.stream().mapToDouble(each -> each).reduce(Double::sum),
        ownCores,
        machineBusy,
        activity);
  }

  /** Returns the CPU time of each member so far; empty if one of them is not known. */
  private List<Double> cpuSecondsNow() {
    List<Double> all = new ArrayList<>();
    for (Member member : cluster.members()) {
      OptionalDouble seconds = cpuSeconds(member);
      if (seconds.isEmpty()) {
        return List.of();
      }
      all.add(seconds.getAsDouble());
    }
    return all;
  }

  private static OptionalDouble cpuSeconds(Member member) {
    double seconds = 0;
    for (long pid : member.pids()) {
      Optional<Duration> used =
          ProcessHandle.of(pid).flatMap(process -> process.info().totalCpuDuration());
      if (used.isEmpty()) {
        return OptionalDouble.empty();
      }
      seconds += used.get().toNanos() / NANOS_PER_SECOND;
    }
    return member.pids().isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(seconds);
  }

  /**
   * Returns how long members waited since the previous request; leaves out members that do not
   * answer.
   */
  private Map<String, Double> waits() {
    Map<String, Double> waits = new LinkedHashMap<>();
    internals.forEach((member, source) -> ask(member, source, waits));
    return waits;
  }

  private void ask(Member member, ServerInternals each, Map<String, Double> waits) {
    try {
      Map<String, Double> figures =
          each.ask(member.ownEndpoint(), cluster.access(), ServerInternals.LIMIT);
      for (ServerInternals.Wait wait : each.waits()) {
        Double value = figures.get(wait.value());
        if (value != null && Double.isFinite(value)) {
          waits.merge(wait.waitsFor(), value * wait.millis(), Math::max);
        }
      }
    } catch (IOException | RuntimeException silent) {
      return; // values that it does not report are missing
    }
  }

  private OptionalInt begunSnapshots() {
    Set<Path> begun = new HashSet<>(snapshotsNow());
    begun.removeAll(snapshots);
    return snapshotFiles.isPresent() ? OptionalInt.of(begun.size()) : OptionalInt.empty();
  }

  private Set<Path> snapshotsNow() {
    Set<Path> found = new HashSet<>();
    for (Member member : cluster.members()) {
      snapshotFiles.ifPresent(
          like -> addSnapshots(member.dataDirectory().orElseThrow(), like, found));
    }
    return found;
  }

  private static void addSnapshots(Path data, Pattern like, Set<Path> to) {
    try (Stream<Path> files = Files.walk(data, MAX_SNAPSHOT)) {
      files
          .filter(file -> like.matcher(data.relativize(file).toString()).matches())
          .forEach(to::add);
    } catch (IOException | UncheckedIOException changing) {
      return; // a file was removed meanwhile; the next check finds the rest
    }
  }
}
