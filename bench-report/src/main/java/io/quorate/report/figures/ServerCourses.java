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
      double[] known = Arrays.stream(levels).filter(each -> !Double.isNaN(each)).toArray();
      int first = 0;
      int last = levels.length - 1;
      while (first < last && Double.isNaN(levels[first])) {
        first++;
      }
      while (first < last && Double.isNaN(levels[last])) {
        last--;
      }
      boolean falls = IntStream.range(1, known.length).anyMatch(j -> known[j] < known[j - 1]);
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
      double[] sums = added(growth(mean.sum()));
      double[] counts = added(growth(mean.count()));
      Arrays.setAll(sums, i -> counts[i] > 0 ? mean.factor() * sums[i] / counts[i] : Double.NaN);
      return sums;
    }
    double[] most = unknown();
    if (source instanceof MetricSource.Most metric) {
      for (int member : reported.members()) {
        double[] values = reported.of(member, metric.metric()).bySecond(first, seconds);
        Arrays.setAll(most, i -> ClientSecond.most(most[i], values[i]));
      }
    } else if (source instanceof MetricSource.Growth counter) {
      for (double[] growth : growth(counter.metric())) {
        Arrays.setAll(most, i -> ClientSecond.most(most[i], counter.factor() * growth[i]));
      }
    }
    return most;
  }

  /** Returns by how much a counter of each member grew since the second before. */
  private List<double[]> growth(String metric) {
    return reported.members().stream()
        .map(
            member -> {
              // from the second before, from which the first one grew
              double[] levels = reported.of(member, metric).bySecond(first - 1, seconds + 1);
              double[] growth = new double[seconds];
              Arrays.setAll(
                  growth, i -> levels[i + 1] >= levels[i] ? levels[i + 1] - levels[i] : Double.NaN);
              return growth;
            })
        .toList();
  }

  private double[] added(List<double[]> members) {
    double[] sums = new double[seconds];
    members.forEach(
        each -> Arrays.setAll(sums, i -> sums[i] + (Double.isNaN(each[i]) ? 0 : each[i])));
    return sums;
  }

  private double[] unknown() {
    double[] none = new double[seconds];
    Arrays.fill(none, Double.NaN);
    return none;
  }
}
