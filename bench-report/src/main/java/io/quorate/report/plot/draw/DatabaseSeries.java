// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot.draw;

import io.quorate.report.figures.ClientSecond;
import io.quorate.report.figures.Frame;
import io.quorate.report.figures.StepFigures;
import io.quorate.results.RunEvent;
import io.quorate.results.latency.LatencyInterval;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * The values of a database that can be plotted.
 *
 * @param id id, which determines its color
 * @param tag name in files
 * @param name name in plots
 * @param shifts seconds by which each step is moved to begin where it begins in the other databases
 *     of a plot; empty if none is moved
 * @param firstSecond first second of its requests, since 1970
 * @param clients timeline; empty if only columns are known
 * @param steps steps with requests, in their order; empty if only the timeline is known
 * @param seconds columns by seconds since its first request
 * @param latencyByKey columns by the number of keys written
 * @param serversByKey columns by the number of keys written
 * @param distributions distributions of its latencies; empty if single latencies are not known
 * @param watches watch latencies of the first, median and last watcher of each put; empty without
 *     watchers
 */
public record DatabaseSeries(
    String id,
    String tag,
    String name,
    List<Double> shifts,
    long firstSecond,
    List<ClientSecond> clients,
    List<StepFigures> steps,
    Frame seconds,
    Frame latencyByKey,
    Frame serversByKey,
    List<LatencyInterval> intervals,
    List<Distribution> distributions,
    List<Distribution> watches,
    List<RunEvent> events) {
  /**
   * Returns the same databases with their steps next to each other, if all have the same several
   * loads: each step begins when the longest one before it has ended.
   */
  public static List<DatabaseSeries> aligned(List<DatabaseSeries> all) {
    List<List<Long>> loads =
        all.stream().map(each -> each.steps.stream().map(StepFigures::load).toList()).toList();
    if (loads.stream().distinct().count() != 1 || loads.get(0).size() < 2) {
      return all;
    }
    List<List<Double>> shifts = new ArrayList<>();
    all.forEach(each -> shifts.add(new ArrayList<>()));
    double begin = 0;
    for (int step = 0; step < loads.get(0).size(); step++) {
      double longest = 0;
      for (int i = 0; i < all.size(); i++) {
        shifts.get(i).add(begin - all.get(i).begin(step));
        longest = Math.max(longest, all.get(i).begin(step + 1) - all.get(i).begin(step));
      }
      begin += longest;
    }
    return IntStream.range(0, all.size()).mapToObj(i -> all.get(i).moved(shifts.get(i))).toList();
  }

  private double begin(int step) {
    return step == 0
        ? 0
        : step == steps.size()
            ? seconds.rows()
            : steps.get(step).seconds().get(0).unixSecond() - firstSecond;
  }

  private DatabaseSeries moved(List<Double> by) {
    return new DatabaseSeries(
        id,
        tag,
        name,
        by.stream().allMatch(each -> each == 0) ? List.of() : by,
        firstSecond,
        clients,
        steps,
        seconds,
        latencyByKey,
        serversByKey,
        intervals,
        distributions,
        watches,
        events);
  }

  /** Returns the place of a time in a plot, from the seconds since the first request. */
  public double place(double second) {
    int step = stepAt(second);
    return step < 0 ? second : second + shifts.get(step);
  }

  /** Returns the index of the step that is moved at a time; negative if none is. */
  private int stepAt(double second) {
    int step = shifts.size() - 1;
    while (step > 0 && second < begin(step)) {
      step--;
    }
    return step;
  }

  /** Returns whether the values of a second do not continue those of the second before. */
  public boolean isInterrupted(int second) {
    return second > 0 && stepAt(second) != stepAt(second - 1.0);
  }

  /**
   * The latencies of all requests of an operation.
   *
   * @param operation name of the operation; empty if there is only one
   * @param number number of the operation, from 0
   * @param service whether they are service times, in addition to response times
   * @param nanos latencies in nanoseconds
   */
  public record Distribution(
      Optional<String> operation, int number, boolean service, Histogram nanos) {}

  /**
   * Returns the changes of the load: at the steps or, if only the timeline is known, at changes of
   * the number of clients.
   */
  public List<StepLayer.Mark> marks() {
    List<StepLayer.Mark> marks = new ArrayList<>();
    for (StepFigures step : steps) {
      double second = step.seconds().get(0).unixSecond() - firstSecond;
      String unit =
          step.asked().isPhase()
              ? "phase"
              : step.asked().isOpen() ? "offered/s" : StepLayer.Mark.CLIENTS;
      marks.add(new StepLayer.Mark(place(second), step.load(), unit));
    }
    for (int i = 0; steps.isEmpty() && i < clients.size(); i++) {
      long number = clients.get(i).clients();
      if (i == 0 || number != clients.get(i - 1).clients()) {
        marks.add(new StepLayer.Mark(i, number, StepLayer.Mark.CLIENTS));
      }
    }
    return marks;
  }

  /** Returns successes divided by the duration of steps; NaN if it is unknown. */
  public static double requestsPerSecond(List<StepFigures> steps) {
    double seconds =
        steps.stream().mapToDouble(step -> step.durationSeconds().orElse(Double.NaN)).sum();
    double requests =
        steps.stream()
            .flatMap(step -> step.seconds().stream())
            .mapToDouble(ClientSecond::count)
            .sum();
    return seconds > 0 ? requests / seconds : Double.NaN;
  }

  public static double averageMs(List<StepFigures> steps) {
    double sum = 0;
    double count = 0;
    for (StepFigures step : steps) {
      for (ClientSecond second : step.seconds()) {
        sum += second.count() == 0 ? 0 : second.averageMs() * second.count();
        count += second.count();
      }
    }
    return sum / count;
  }

  public List<StepFigures> stepsAt(long load) {
    return steps.stream().filter(step -> step.load() == load).toList();
  }

  public SortedSet<Long> loads() {
    return new TreeSet<>(steps.stream().map(StepFigures::load).toList());
  }

  /** Returns the place of a time in a plot, from the milliseconds since 1970. */
  public double second(long unixMillis) {
    return place(Math.max(0, unixMillis / 1000.0 - firstSecond));
  }

  /** Returns the intervals whose times match the requests; a clock may have been set. */
  public List<LatencyInterval> timedIntervals() {
    double last = seconds.rows() + 60.0;
    return intervals.stream()
        .filter(interval -> interval.startMillis() / 1000.0 >= firstSecond - 1.0)
        .filter(interval -> interval.startMillis() / 1000.0 <= firstSecond + last)
        .toList();
  }
}
