// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import io.quorate.results.hosts.MemberSeries;
import io.quorate.store.server.MetricSource;
import io.quorate.store.server.ServerCourse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Computes what servers reported about themselves, by seconds of a run.
 *
 * @param first first second, since 1970
 * @param seconds number of seconds
 */
record ServerCourses(MemberSeries reported, long first, int seconds) {
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
        MemberSeries.Series values = reported.of(member, metric.metric());
        for (int i = values.ceiling(first); i < values.size() && isIn(values.second(i)); i++) {
          int place = (int) (values.second(i) - first);
          most[place] = most(most[place], values.value(i));
        }
      }
    } else if (source instanceof MetricSource.Growth counter) {
      for (double[] growth : growth(counter.metric())) {
        Arrays.setAll(most, i -> most(most[i], counter.factor() * growth[i]));
      }
    }
    return most;
  }

  private boolean isIn(long second) {
    return second >= first && second < first + seconds;
  }

  /** Returns by how much a counter of each member grew since the second before. */
  private List<double[]> growth(String metric) {
    List<double[]> growth = new ArrayList<>();
    for (int member : reported.members()) {
      MemberSeries.Series values = reported.of(member, metric);
      double[] ofMember = unknown();
      for (int i = Math.max(1, values.ceiling(first));
          i < values.size() && isIn(values.second(i));
          i++) {
        double grown = values.value(i) - values.value(i - 1);
        if (values.second(i) - values.second(i - 1) == 1 && grown >= 0) {
          ofMember[(int) (values.second(i) - first)] = grown;
        }
      }
      growth.add(ofMember);
    }
    return growth;
  }

  private double[] added(List<double[]> members) {
    double[] sums = new double[seconds];
    members.forEach(
        each -> Arrays.setAll(sums, i -> sums[i] + (Double.isNaN(each[i]) ? 0 : each[i])));
    return sums;
  }

  private static double most(double one, double other) {
    return Double.isNaN(one) ? other : Double.isNaN(other) ? one : Math.max(one, other);
  }

  private double[] unknown() {
    double[] none = new double[seconds];
    Arrays.fill(none, Double.NaN);
    return none;
  }
}
