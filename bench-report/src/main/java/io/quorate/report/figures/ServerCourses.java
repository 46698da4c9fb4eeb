// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import io.quorate.results.hosts.MemberSeries;
import io.quorate.store.server.MetricSource;
import io.quorate.store.server.ServerCourse;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.IntFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Computes what servers reported about themselves, by seconds of a run.
 *
 * @param first first second, since 1970
 * @param seconds number of seconds
 */
record ServerCourses(MemberSeries reported, long first, int seconds) {
  private static final int LEAST_SECONDS = 2;

  /**
   * Returns a value for each second of the courses that the servers reported, NaN where nothing is
   * known. Changes of the leader are included only if the leader changed.
   */
  Map<ServerCourse, double[]> of(Map<ServerCourse, MetricSource> sources) {
    Map<ServerCourse, double[]> known = new EnumMap<>(ServerCourse.class);
    sources.forEach(
        (course, source) -> {
          double[] values = values(source);
          boolean isOfChanges = course == ServerCourse.SERVER_LEADER_CHANGES;
          if (Arrays.stream(values)
              .anyMatch(each -> isOfChanges ? each > 0 : !Double.isNaN(each))) {
            known.put(course, values);
          }
        });
    return known;
  }

  /**
   * Returns the growth of a counter of all members per success of a step. It is taken from the
   * first to the last answer of each member within the step, and divided by the successes between
   * these two. Empty if that is less than two seconds, a member did not answer, or its counter
   * fell, as after a restart.
   *
   * @param at when each member is asked, as a part of a second
   */
  static OptionalDouble perSuccess(
      MemberSeries reported, String metric, double[] at, StepFigures step) {
    double sum = step.began().isEmpty() ? Double.NaN : 0;
    for (int i = 0; i < at.length && !Double.isNaN(sum); i++) {
      double begin = step.began().getAsDouble();
      MemberSeries.Series series = reported.of(i + 1, metric);
      long from = (long) Math.ceil(begin - at[i]);
      long to = (long) Math.floor(begin + step.durationSeconds().orElse(0) - at[i]);
      double[] levels = series.bySecond(from, (int) Math.max(0, to - from + 1));
      int[] known =
          IntStream.range(0, levels.length).filter(j -> !Double.isNaN(levels[j])).toArray();
      int first = IntStream.of(known).min().orElse(0);
      int last = IntStream.of(known).max().orElse(0);
      boolean falls =
          IntStream.range(1, known.length).anyMatch(j -> levels[known[j]] < levels[known[j - 1]]);
      double successes =
          step.successesBefore(from + last + at[i]) - step.successesBefore(from + first + at[i]);
      sum =
          last - first < LEAST_SECONDS || falls || successes <= 0
              ? Double.NaN
              : sum + (levels[last] - levels[first]) / successes;
    }
    return Double.isNaN(sum) || at.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(sum);
  }

  private double[] values(MetricSource source) {
    if (source instanceof MetricSource.Mean mean) {
      double[] sums = added(mean.sum());
      double[] counts = added(mean.count());
      Arrays.setAll(sums, i -> counts[i] > 0 ? mean.factor() * sums[i] / counts[i] : Double.NaN);
      return sums;
    }
    return source instanceof MetricSource.Growth counter
        ? merged(
            member -> growth(member, counter.metric()),
            known -> known.map(each -> counter.factor() * each).max().orElse(Double.NaN))
        : merged(
            member ->
                reported.of(member, ((MetricSource.Most) source).metric()).bySecond(first, seconds),
            known -> known.max().orElse(Double.NaN));
  }

  private double[] added(String metric) {
    return merged(member -> growth(member, metric), known -> known.reduce(0, Double::sum));
  }

  /** Returns by how much a counter grew since the second before. */
  private double[] growth(int member, String metric) {
    // from the second before, from which the first one grew
    double[] levels = reported.of(member, metric).bySecond(first - 1, seconds + 1);
    double[] growth = new double[seconds];
    Arrays.setAll(growth, i -> levels[i + 1] >= levels[i] ? levels[i + 1] - levels[i] : Double.NaN);
    return growth;
  }

  /** Returns a value of each second, of what is known of the members. */
  private double[] merged(IntFunction<double[]> values, ToDoubleFunction<DoubleStream> merge) {
    List<double[]> members = reported.members().stream().map(values::apply).toList();
    double[] merged = new double[seconds];
    Arrays.setAll(
        merged,
        i ->
            merge.applyAsDouble(
                members.stream().mapToDouble(each -> each[i]).filter(each -> !Double.isNaN(each))));
    return merged;
  }
}
