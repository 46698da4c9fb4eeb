package io.quorate.report.plot.draw;

import io.quorate.report.figures.ClientTimeline;
import io.quorate.report.figures.Frame;
import io.quorate.report.figures.KeyNumberFiles;
import io.quorate.report.figures.PlotFrames;
import io.quorate.results.latency.LatencyInterval;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * The figures of a database that can be plotted.
 *
 * @param id decides on its colour
 * @param tag names it
 * @param firstSecond of its requests, in seconds since 1970
 * @param steps in their order
 * @param seconds by seconds since its first request
 * @param latencyByKey by the number of keys written
 * @param serversByKey by the number of keys written
 * @param intervals of the latency log
 * @param distributions of its latencies; none if nothing is known of single ones
 * @param watches the watch latencies of the first, median and last watcher of each put; none if
 *     there were no watchers
 */
public record PlottedDatabase(
    String id,
    String tag,
    long firstSecond,
    List<Step> steps,
    Columns seconds,
    Columns latencyByKey,
    Columns serversByKey,
    List<LatencyInterval> intervals,
    List<Distribution> distributions,
    List<Distribution> watches) {
  public PlottedDatabase {
    steps = List.copyOf(steps);
    intervals = List.copyOf(intervals);
    distributions = List.copyOf(distributions);
    watches = List.copyOf(watches);
  }

  /** Creates the figures of a database without watchers. */
  public PlottedDatabase(
      String id,
      String tag,
      long firstSecond,
      List<Step> steps,
      Columns seconds,
      Columns latencyByKey,
      Columns serversByKey,
      List<LatencyInterval> intervals,
      List<Distribution> distributions) {
    this(
        id,
        tag,
        firstSecond,
        steps,
        seconds,
        latencyByKey,
        serversByKey,
        intervals,
        distributions,
        List.of());
  }

  /**
   * Returns the plotted figures as far as the frames have them: without steps of its own, and
   * without single latencies.
   */
  public static PlottedDatabase of(PlotFrames frames) {
    double[] x = IntStream.range(0, frames.seconds().rows()).asDoubleStream().toArray();
    Map<String, double[]> servers = columns(frames.memory());
    servers.putAll(columns(frames.readBytes()));
    servers.putAll(columns(frames.writeBytes()));
    return new PlottedDatabase(
        frames.id(),
        frames.tag(),
        frames.clients().first(),
        steps(frames.clients()),
        new Columns(x, columns(frames.seconds())),
        byKey(columns(frames.latency())),
        byKey(servers),
        List.of(),
        List.of());
  }

  private static List<Step> steps(ClientTimeline clients) {
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < clients.size(); i++) {
      long number = clients.at(i).clients();
      if (i == 0 || number != clients.at(i - 1).clients()) {
        steps.add(new Step(i, number, new double[0], new double[0]));
      }
    }
    return steps;
  }

  /** Returns the columns with numbers; those with units have none. */
  private static Map<String, double[]> columns(Frame frame) {
    Map<String, double[]> columns = new LinkedHashMap<>();
    for (String name : frame.names()) {
      if (!name.equals(KeyNumberFiles.READ_BYTES) && !name.equals(KeyNumberFiles.WRITE_BYTES)) {
        columns.put(name, frame.numbers(name));
      }
    }
    return columns;
  }

  private static Columns byKey(Map<String, double[]> columns) {
    return new Columns(columns.get("KEYS"), columns);
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
  }

  /**
   * Columns of numbers; NaN is a missing value.
   *
   * @param x ascending, what the values belong to
   */
  public record Columns(double[] x, Map<String, double[]> values) {
    public Columns {
      values = new LinkedHashMap<>(values);
    }

    /** Returns no columns. */
    public static Columns none() {
      return new Columns(new double[0], Map.of());
    }

    /** Returns the values of a column, if there is one, and not all of them are missing. */
    public Optional<double[]> column(String name) {
      return Optional.ofNullable(values.get(name))
          .filter(column -> Arrays.stream(column).anyMatch(value -> !Double.isNaN(value)));
    }
  }

  /** Converts milliseconds since 1970 to seconds since the first request. */
  public double second(long unixMillis) {
    return Math.max(0, unixMillis / 1000.0 - firstSecond);
  }

  /** Returns the intervals whose times are those of the requests; a clock may have been set. */
  public List<LatencyInterval> timedIntervals() {
    double last = seconds.x().length + 60.0;
    return intervals.stream()
        .filter(interval -> interval.startMillis() / 1000.0 >= firstSecond - 1.0)
        .filter(interval -> interval.startMillis() / 1000.0 <= firstSecond + last)
        .toList();
  }
}
