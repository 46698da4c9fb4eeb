// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.hosts;

import io.quorate.QuorateException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The measurements of a machine during the steps of a load: its levels at both ends of each step
 * and at every second. Only the requested columns are kept. Levels between two samples are
 * interpolated linearly.
 */
public final class HostTimeline {
  private final Map<String, Integer> columns;
  private final HostSamples stepRows;
  private final List<Step> steps;
  private final double[][] rows;
  private final List<Level> ends;

  /** The moments of all levels in their order. */
  private final long[] times;

  /** The place of each moment: a row, or after the last row the end of a step. */
  private final int[] places;

  private final Optional<String> gap;

  /** Values of all columns at the end of a step; NaN where nothing was measured. */
  private record Level(long unixNanos, double[] values) {}

  /** A step between the samples at its ends. */
  public final class Step {
    private final Level begin;
    private final Level end;

    private Step(Level begin, Level end) {
      this.begin = begin;
      this.end = end;
    }

    /** Returns the time of the sample before its first request, in nanoseconds since 1970. */
    public long beginNanos() {
      return begin.unixNanos;
    }

    /** Returns the time of the sample after its last request, in nanoseconds since 1970. */
    public long endNanos() {
      return end.unixNanos;
    }

    /**
     * Returns the growth of a level from its beginning to its end; NaN if one of them was not
     * measured.
     */
    public double growth(String column) {
      int place = place(column);
      return end.values[place] - begin.values[place];
    }

    /** Returns a level at its end; NaN if it was not measured. */
    public double atEnd(String column) {
      return end.values[place(column)];
    }
  }

  private HostTimeline(
      Map<String, Integer> columns,
      HostSamples stepRows,
      Map<Integer, Map<StepBoundary, Level>> ends,
      HostSamples samples,
      double[][] rows) {
    this.columns = columns;
    this.stepRows = stepRows;
    this.gap = gap(ends);
    this.steps =
        gap.isPresent()
            ? List.of()
            : ends.values().stream()
                .map(
                    each ->
                        new Step(
                            Objects.requireNonNull(each.get(StepBoundary.BEGIN)),
                            Objects.requireNonNull(each.get(StepBoundary.END))))
                .toList();
    this.rows = rows;
    this.ends = ends.values().stream().flatMap(each -> each.values().stream()).toList();
    int count = samples.size();
    ToLongFunction<Integer> time =
        place -> place < count ? samples.unixNanos(place) : this.ends.get(place - count).unixNanos;
    this.places =
        IntStream.range(0, count + this.ends.size())
            .boxed()
            .sorted(Comparator.comparingLong(time))
            .mapToInt(Integer::intValue)
            .toArray();
    this.times = IntStream.of(places).mapToLong(time::applyAsLong).toArray();
  }

  /** Returns the value of a column at one of the moments. */
  private double value(int moment, int column) {
    int place = places[moment];
    int count = places.length - ends.size();
    return place < count ? rows[column][place] : ends.get(place - count).values[column];
  }

  /**
   * Returns the timeline of a machine.
   *
   * @param steps rows at the ends of steps
   * @param required numeric columns, the same in both files
   * @param optional numeric columns whose levels are NaN in files without them
   * @param rows measured rows; none if only the steps are of interest
   * @throws QuorateException with file, line, what was found and what was expected
   */
  static HostTimeline of(
      HostSamples steps, List<String> required, List<String> optional, HostSamples rows) {
    steps.require(with(List.of(HostSamples.STEP, HostSamples.BOUNDARY), required));
    List<String> columns = with(required, optional);
    Map<String, Integer> places =
        IntStream.range(0, columns.size())
            .boxed()
            .collect(Collectors.toUnmodifiableMap(columns::get, place -> place));
    if (rows != HostSamples.NONE) {
      rows.require(required);
    }
    double[][] values = columns.stream().map(rows::values).toArray(double[][]::new);
    return new HostTimeline(places, steps, ends(steps, columns), rows, values);
  }

  private static List<String> with(List<String> some, List<String> others) {
    return Stream.concat(some.stream(), others.stream()).toList();
  }

  private static Map<Integer, Map<StepBoundary, Level>> ends(
      HostSamples file, List<String> columns) {
    Map<Integer, Map<StepBoundary, Level>> ends = new TreeMap<>();
    double[] steps = file.values(HostSamples.STEP);
    double[][] values = columns.stream().map(file::values).toArray(double[][]::new);
    for (int i = 0; i < file.size(); i++) {
      int row = i;
      double[] levels = Arrays.stream(values).mapToDouble(column -> column[row]).toArray();
      ends.computeIfAbsent((int) steps[row], absent -> new TreeMap<>())
          .put(
              StepBoundary.of(file.text(HostSamples.BOUNDARY, row)).orElseThrow(),
              new Level(file.unixNanos(row), levels));
    }
    return ends;
  }

  private static Optional<String> gap(Map<Integer, Map<StepBoundary, Level>> ends) {
    long before = 0;
    int expected = 1;
    for (Map.Entry<Integer, Map<StepBoundary, Level>> step : ends.entrySet()) {
      if (step.getKey() != expected++) {
        return Optional.of("at the beginning of step " + (expected - 1));
      }
      for (StepBoundary boundary : StepBoundary.values()) {
        Level level = step.getValue().get(boundary);
        String where = "at the " + boundary.id() + " of step " + step.getKey();
        if (level == null) {
          return Optional.of(where);
        }
        if (level.unixNanos <= before) {
          return Optional.of(where + ", as the clock went back");
        }
        before = level.unixNanos;
      }
    }
    return Optional.empty();
  }

  /**
   * Returns the moments at which samples are missing: {@code at the end of step 2}.
   *
   * @param expected number of steps
   */
  public Optional<String> gap(int expected) {
    return gap.isPresent() || steps.size() >= expected
        ? gap
        : Optional.of("at the beginning of step " + (steps.size() + 1));
  }

  /** Returns the steps in their order; none if there is a gap. */
  public List<Step> steps() {
    return steps;
  }

  /**
   * Returns the level at a time; outside of all samples the level of the nearest one. NaN if it is
   * not known.
   */
  public double level(String column, long unixNanos) {
    int place = place(column);
    int found = Arrays.binarySearch(times, unixNanos);
    if (found >= 0) {
      return value(found, place);
    }
    int upper = -found - 1;
    if (upper == 0 || upper == times.length) {
      return value(Math.max(0, upper - 1), place);
    }
    double from = value(upper - 1, place);
    double to = value(upper, place);
    double part = (double) (unixNanos - times[upper - 1]) / (times[upper] - times[upper - 1]);
    return from + part * (to - from);
  }

  /** Returns the level of the last sample until a time, for values that are not interpolated. */
  public double latest(String column, long unixNanos) {
    int found = Arrays.binarySearch(times, unixNanos);
    int index = found >= 0 ? found : Math.max(0, -found - 2);
    return value(index, place(column));
  }

  private int place(String column) {
    return Objects.requireNonNull(columns.get(column), column);
  }

  /** Returns a text, such as that of a device, at the end of the last step; empty if not known. */
  public String text(String column) {
    return stepRows.size() == 0 ? "" : stepRows.text(column, stepRows.size() - 1);
  }

  /** Returns the greatest level within the steps; NaN if none is known. */
  public double highest(String column) {
    int place = place(column);
    return IntStream.range(0, times.length)
        .filter(moment -> steps.stream().anyMatch(step -> isIn(step, times[moment])))
        .mapToDouble(moment -> value(moment, place))
        .filter(value -> !Double.isNaN(value))
        .max()
        .orElse(Double.NaN);
  }

  private static boolean isIn(Step step, long unixNanos) {
    return unixNanos >= step.beginNanos() && unixNanos <= step.endNanos();
  }
}
