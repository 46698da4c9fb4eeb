package io.quorate.report.plot.draw;

import io.quorate.report.figures.ClientSecond;
import io.quorate.report.figures.ClientTimeline;
import io.quorate.report.figures.Frame;
import io.quorate.results.RunEvent;
import io.quorate.results.latency.LatencyInterval;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.HdrHistogram.Histogram;

/**
 * The figures of a database that can be plotted.
 *
 * @param id decides on its color
 * @param tag names it
 * @param firstSecond of its requests, in seconds since 1970
 * @param clients the timeline; empty if only columns are known
 * @param steps in their order
 * @param seconds columns by seconds since its first request
 * @param latencyByKey columns by the number of keys written
 * @param serversByKey columns by the number of keys written
 * @param intervals of the latency log
 * @param distributions of its latencies; empty if nothing is known of single ones
 * @param watches the watch latencies of the first, median and last watcher of each put; empty if
 *     there were no watchers
 * @param events on the timeline of its run
 */
public record DatabaseSeries(
    String id,
    String tag,
    long firstSecond,
    List<ClientSecond> clients,
    List<Step> steps,
    Frame seconds,
    Frame latencyByKey,
    Frame serversByKey,
    List<LatencyInterval> intervals,
    List<Distribution> distributions,
    List<Distribution> watches,
    List<RunEvent> events) {
  /** Creates the figures of a database without events. */
  public DatabaseSeries(
      String id,
      String tag,
      long firstSecond,
      List<ClientSecond> clients,
      List<Step> steps,
      Frame seconds,
      Frame latencyByKey,
      Frame serversByKey,
      List<LatencyInterval> intervals,
      List<Distribution> distributions,
      List<Distribution> watches) {
    this(
        id,
        tag,
        firstSecond,
        clients,
        steps,
        seconds,
        latencyByKey,
        serversByKey,
        intervals,
        distributions,
        watches,
        List.of());
  }

  /** Returns the figures of a run of which only seconds and columns are known. */
  public static DatabaseSeries of(
      String id,
      String tag,
      ClientTimeline clients,
      Frame seconds,
      Frame latencyByKey,
      Frame serversByKey) {
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < clients.size(); i++) {
      long number = clients.at(i).clients();
      if (i == 0 || number != clients.at(i - 1).clients()) {
        steps.add(new Step(i, number, new double[0], new double[0]));
      }
    }
    return new DatabaseSeries(
        id,
        tag,
        clients.first(),
        clients.seconds(),
        steps,
        seconds,
        latencyByKey,
        serversByKey,
        List.of(),
        List.of(),
        List.of());
  }

  /**
   * The latencies of all requests of an operation.
   *
   * @param operation empty if there is one only
   * @param number of the operation, from 0
   * @param service whether they are service times, beside which there are response times
   * @param nanos the latencies
   */
  public record Distribution(
      Optional<String> operation, int number, boolean service, Histogram nanos) {}

  /**
   * A step of the load.
   *
   * @param second in which it began, since the first request
   * @param throughputs requests that succeeded, by the second in which they were sent
   * @param averagesMs of their latencies; NaN where none succeeded
   * @param durationSeconds from the first request to the end of the last one; empty if that is not
   *     known
   * @param ratePerSecond requests that were offered in a second; empty in a closed loop
   */
  public record Step(
      double second,
      long clients,
      double[] throughputs,
      double[] averagesMs,
      OptionalDouble durationSeconds,
      OptionalLong ratePerSecond) {
    /** Creates a step of a closed loop. */
    public Step(
        double second,
        long clients,
        double[] throughputs,
        double[] averagesMs,
        OptionalDouble durationSeconds) {
      this(second, clients, throughputs, averagesMs, durationSeconds, OptionalLong.empty());
    }

    /** Creates a step of which only the seconds are known. */
    public Step(double second, long clients, double[] throughputs, double[] averagesMs) {
      this(second, clients, throughputs, averagesMs, OptionalDouble.empty());
    }

    /** Returns whether requests were sent at a rate. */
    public boolean isOpen() {
      return ratePerSecond.isPresent();
    }

    /** Returns the number of clients or, in an open loop, the rate that was offered. */
    public long load() {
      return ratePerSecond.orElse(clients);
    }

    /** Returns successes by the duration of steps; NaN if that is unknown. */
    public static double requestsPerSecond(List<Step> steps) {
      double requests =
          steps.stream().flatMapToDouble(each -> DoubleStream.of(each.throughputs)).sum();
      double seconds =
          steps.stream().mapToDouble(step -> step.durationSeconds().orElse(Double.NaN)).sum();
      return seconds > 0 ? requests / seconds : Double.NaN;
    }

    /** Returns the mean latency of all requests of steps. */
    public static double averageMs(List<Step> steps) {
      double sum = 0;
      double count = 0;
      for (Step step : steps) {
        for (int i = 0; i < step.averagesMs.length; i++) {
          boolean known = !Double.isNaN(step.averagesMs[i]);
          sum += known ? step.averagesMs[i] * step.throughputs[i] : 0;
          count += known ? step.throughputs[i] : 0;
        }
      }
      return sum / count;
    }
  }

  /** Returns the steps with a load of which the seconds are known. */
  public List<Step> stepsAt(long load) {
    return steps.stream()
        .filter(step -> step.load() == load && step.throughputs.length > 0)
        .toList();
  }

  /** Returns the loads of which the seconds are known. */
  public SortedSet<Long> loads() {
    return steps.stream()
        .filter(step -> step.throughputs.length > 0)
        .map(Step::load)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Converts milliseconds since 1970 to seconds since the first request. */
  public double second(long unixMillis) {
    return Math.max(0, unixMillis / 1000.0 - firstSecond);
  }

  /** Returns the intervals whose times are those of the requests; a clock may have been set. */
  public List<LatencyInterval> timedIntervals() {
    double last = seconds.rows() + 60.0;
    return intervals.stream()
        .filter(interval -> interval.startMillis() / 1000.0 >= firstSecond - 1.0)
        .filter(interval -> interval.startMillis() / 1000.0 <= firstSecond + last)
        .toList();
  }
}
