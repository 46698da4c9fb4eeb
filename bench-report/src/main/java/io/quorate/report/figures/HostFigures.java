// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import io.quorate.results.hosts.HostTimeline;
import io.quorate.results.manifest.StepUsage;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** Computes the values of the table rows about machines. Missing values are left out. */
public final class HostFigures {
  static final List<String> CLIENT_LEVELS =
      List.of(
          ServerColumn.CPU_MILLISECONDS,
          ServerColumn.MEMORY.source(),
          ServerColumn.RECEIVED.source(),
          ServerColumn.SENT.source());

  /** The counters of servers, whose growths are rows. */
  public static final Map<HostFigure, ServerColumn> COUNTERS =
      Map.of(
          HostFigure.SERVER_RECEIVED_BYTES, ServerColumn.RECEIVED,
          HostFigure.SERVER_SENT_BYTES, ServerColumn.SENT,
          HostFigure.SERVER_READS, ServerColumn.READS,
          HostFigure.SERVER_SECTORS_READ, ServerColumn.SECTORS_READ,
          HostFigure.SERVER_WRITES, ServerColumn.WRITES,
          HostFigure.SERVER_SECTORS_WRITTEN, ServerColumn.SECTORS_WRITTEN);

  private static final double BYTES_PER_MEGABYTE = 1_000_000;
  private static final double MILLIS_PER_SECOND = 1000;

  private final Map<HostFigure, Double> figures = new EnumMap<>(HostFigure.class);

  public Map<HostFigure, Double> toMap() {
    return figures;
  }

  /**
   * Adds the values of servers that were sampled at the ends of steps: sums over all servers and
   * steps, where a shared disk or network interface counts once, and maxima of the servers' mean.
   *
   * @param seconds measurements of these servers by second
   */
  void servers(MemberTimelines members, List<MeasurementWindow> seconds, Frame frame) {
    COUNTERS.forEach((figure, counter) -> put(figure, members.growth(counter)));
    put(
        HostFigure.SERVER_CPU_SECONDS,
        members.cpuMillis(machine -> machine.steps().stream()) / MILLIS_PER_SECOND);
    put(HostFigure.SERVER_MEAN_CPU_PERCENT, meanCpuPercent(members.all(), any -> true));
    put(HostFigure.SERVER_MAX_CPU_PERCENT, maxCpuPercent(members.all(), seconds, frame.rows()));
    memory(frame);
  }

  /** Adds the highest mean memory of the servers in a second. */
  public void memory(Frame frame) {
    put(
        HostFigure.SERVER_MAX_MEMORY_BYTES,
        max(frame.numbers(AggregatedColumn.AVG_VMRSS_MB.title())) * BYTES_PER_MEGABYTE);
  }

  void client(HostTimeline client, ClientTimeline clients) {
    List<HostTimeline> machine = List.of(client);
    put(HostFigure.CLIENT_RECEIVED_BYTES, growth(machine, ServerColumn.RECEIVED.source()));
    put(HostFigure.CLIENT_SENT_BYTES, growth(machine, ServerColumn.SENT.source()));
    put(
        HostFigure.CLIENT_CPU_SECONDS,
        growth(machine, ServerColumn.CPU_MILLISECONDS) / MILLIS_PER_SECOND);
    put(HostFigure.CLIENT_MEAN_CPU_PERCENT, meanCpuPercent(machine, any -> true));
    put(
        HostFigure.CLIENT_MAX_CPU_PERCENT,
        maxCpuPercent(machine, List.of(new MeasurementWindow(client, clients)), clients.size()));
    put(HostFigure.CLIENT_MAX_MEMORY_BYTES, client.highest(ServerColumn.MEMORY.source()));
  }

  /**
   * Sets the CPU use of a load generator whose samples were too close to each other, from the finer
   * measurements of its process.
   *
   * @param costs costs of the steps; none in runs that did not measure them
   */
  void clientCosts(List<StepUsage> costs) {
    long nanos = costs.stream().mapToLong(StepUsage::elapsedNanos).sum();
    if (nanos > 0 && lacks(HostFigure.CLIENT_CPU_SECONDS, HostFigure.CLIENT_MEAN_CPU_PERCENT)) {
      double percent = 100.0 * costs.stream().mapToLong(StepUsage::cpuNanos).sum() / nanos;
      put(HostFigure.CLIENT_MEAN_CPU_PERCENT, percent);
      put(HostFigure.CLIENT_MAX_CPU_PERCENT, percent);
    }
  }

  boolean lacksCpuPercent() {
    return lacks(HostFigure.SERVER_CPU_SECONDS, HostFigure.SERVER_MEAN_CPU_PERCENT)
        || lacks(HostFigure.CLIENT_CPU_SECONDS, HostFigure.CLIENT_MEAN_CPU_PERCENT);
  }

  private boolean lacks(HostFigure sum, HostFigure mean) {
    return figures.containsKey(sum) && !figures.containsKey(mean);
  }

  /** Adds the mean size of the data directories. */
  public void disk(List<Long> bytes) {
    double sum = bytes.stream().mapToDouble(each -> each).sum();
    put(HostFigure.SERVER_DISK_BYTES, sum / bytes.size());
  }

  /** Adds a value, if it is known. */
  public void put(HostFigure figure, double value) {
    if (Double.isFinite(value)) {
      figures.put(figure, value);
    }
  }

  /** Returns the maximum of the known values; NaN without one. */
  public static double max(double... values) {
    return highest(DoubleStream.of(values));
  }

  /** Returns the growth over all machines and steps; NaN if a value is not known. */
  private static double growth(List<HostTimeline> machines, String counter) {
    return MemberTimelines.growth(machines, counter, machine -> machine.steps().stream());
  }

  /** Returns the mean over the machines in steps numbered from 1; NaN if these were too short. */
  static double meanCpuPercent(List<HostTimeline> machines, IntPredicate steps) {
    return mean(
        machines.stream().mapToDouble(each -> cpuPercent(HostAnalysis.only(each, steps).toList())));
  }

  /**
   * Returns the highest mean over the machines: of a completely measured second, of a step, or of
   * all steps, so that it is never below the mean.
   *
   * @param seconds measurements of the same machines by second
   * @param rows number of seconds
   */
  private static double maxCpuPercent(
      List<HostTimeline> machines, List<MeasurementWindow> seconds, int rows) {
    DoubleStream ofSeconds =
        IntStream.range(0, rows)
            .filter(row -> seconds.stream().allMatch(each -> each.isWhole(row)))
            .mapToDouble(row -> mean(seconds.stream().mapToDouble(each -> each.cpuPercent(row))));
    DoubleStream ofSteps =
        IntStream.range(0, machines.get(0).steps().size())
            .mapToDouble(
                i ->
                    mean(
                        machines.stream()
                            .mapToDouble(each -> cpuPercent(List.of(each.steps().get(i))))));
    return max(highest(ofSeconds), highest(ofSteps), meanCpuPercent(machines, any -> true));
  }

  private static double highest(DoubleStream values) {
    return values.filter(value -> !Double.isNaN(value)).max().orElse(Double.NaN);
  }

  /** Returns the mean; NaN if a value is missing. */
  private static double mean(DoubleStream values) {
    double[] all = values.toArray();
    return DoubleStream.of(all).reduce(0, Double::sum) / all.length;
  }

  private static double cpuPercent(List<HostTimeline.Step> steps) {
    long nanos = steps.stream().mapToLong(step -> step.endNanos() - step.beginNanos()).sum();
    double millis =
        steps.stream()
            .mapToDouble(step -> step.growth(ServerColumn.CPU_MILLISECONDS))
            .reduce(0, Double::sum);
    return nanos < MeasurementWindow.MIN_CPU_NANOS ? Double.NaN : millis * 1e8 / nanos;
  }
}
