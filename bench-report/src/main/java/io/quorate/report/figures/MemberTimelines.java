// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import io.quorate.results.hosts.HostTimeline;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The timelines of all members. Members of one machine may share a disk and a network interface,
 * whose counters then count once.
 *
 * @param disks timelines of members with different disks
 * @param interfaces timelines of members with different network interfaces
 */
record MemberTimelines(
    List<HostTimeline> all, List<HostTimeline> disks, List<HostTimeline> interfaces) {
  /**
   * Creates the timelines.
   *
   * @param machines name of each member's machine
   */
  static MemberTimelines of(List<HostTimeline> all, List<String> machines) {
    return new MemberTimelines(
        List.copyOf(all), distinct(all, machines, "DEVICE"), distinct(all, machines, "INTERFACE"));
  }

  /** Returns the first member of each machine and device; all of those without a known device. */
  private static List<HostTimeline> distinct(
      List<HostTimeline> all, List<String> machines, String column) {
    Set<List<String>> seen = new HashSet<>();
    return IntStream.range(0, all.size())
        .filter(
            i -> {
              String device = all.get(i).text(column);
              return device.isEmpty() || seen.add(List.of(machines.get(i), device));
            })
        .mapToObj(all::get)
        .toList();
  }

  /** Returns the growth of a counter over all members and steps; NaN if one is not known. */
  double growth(ServerColumn counter) {
    return growth(counter, machine -> machine.steps().stream());
  }

  /**
   * Returns the growth of a counter within some steps; NaN if one is not known. Sectors are those
   * of the members' processes, or of whole disks if the processes are not known.
   */
  double growth(ServerColumn counter, Function<HostTimeline, Stream<HostTimeline.Step>> steps) {
    return switch (counter) {
      case RECEIVED, SENT -> growth(interfaces, counter.source(), steps);
      case READS, WRITES -> growth(disks, counter.source(), steps);
      case SECTORS_READ -> sectors(ServerColumn.PROCESS_READ_BYTES, counter, steps);
      case SECTORS_WRITTEN -> sectors(ServerColumn.PROCESS_WRITE_BYTES, counter, steps);
      default -> growth(all, counter.source(), steps);
    };
  }

  private double sectors(
      String ownBytes,
      ServerColumn counter,
      Function<HostTimeline, Stream<HostTimeline.Step>> steps) {
    double own = growth(all, ownBytes, steps);
    return Double.isNaN(own)
        ? growth(disks, counter.source(), steps)
        : Math.floor(own / ServerColumn.SECTOR_BYTES);
  }

  /** Returns the CPU time of all members within some steps in milliseconds. */
  double cpuMillis(Function<HostTimeline, Stream<HostTimeline.Step>> steps) {
    return growth(all, ServerColumn.CPU_MILLISECONDS, steps);
  }

  /** Returns the mean resident memory of a member at the end of the last step, in bytes. */
  double memoryAtEnd() {
    return all.stream()
        .map(HostTimeline::steps)
        .mapToDouble(steps -> steps.get(steps.size() - 1).atEnd(ServerColumn.MEMORY.source()))
        .average()
        .orElse(Double.NaN);
  }

  static double growth(
      List<HostTimeline> machines,
      String column,
      Function<HostTimeline, Stream<HostTimeline.Step>> steps) {
    return machines.stream()
        .flatMap(steps)
        .mapToDouble(step -> step.growth(column))
        .reduce(0, Double::sum);
  }
}
