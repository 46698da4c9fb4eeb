// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import io.quorate.results.hosts.HostFiles.InternalRow;
import io.quorate.store.server.MetricSource;
import io.quorate.store.server.ServerCourse;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Computes what servers reported about themselves, by seconds of a run.
 *
 * @param first first second, since 1970
 * @param seconds number of seconds
 */
record ServerCourses(List<InternalRow> rows, long first, int seconds) {
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
      for (InternalRow row : rows) {
        if (row.metric().equals(metric.metric()) && isIn(row.unixSecond())) {
          int place = (int) (row.unixSecond() - first);
          most[place] = most(most[place], row.value());
        }
      }
    } else if (source instanceof MetricSource.Growth counter) {
      for (double[] growth : growth(counter.metric()).values()) {
        Arrays.setAll(most, i -> most(most[i], counter.factor() * growth[i]));
      }
    }
    return most;
  }

  private boolean isIn(long second) {
    return second >= first && second < first + seconds;
  }

  /** Returns by how much a counter of each member grew since the second before. */
  private Map<Integer, double[]> growth(String metric) {
    Map<Integer, double[]> growth = new HashMap<>();
    Map<Integer, InternalRow> before = new HashMap<>();
    for (InternalRow row : rows) {
      if (row.metric().equals(metric)) {
        InternalRow last = before.put(row.member(), row);
        if (last != null
            && isIn(row.unixSecond())
            && row.unixSecond() - last.unixSecond() == 1
            && row.value() >= last.value()) {
          growth.computeIfAbsent(row.member(), any -> unknown())[(int) (row.unixSecond() - first)] =
              row.value() - last.value();
        }
      }
    }
    return growth;
  }

  private double[] added(Map<Integer, double[]> members) {
    double[] sums = new double[seconds];
    members
        .values()
        .forEach(each -> Arrays.setAll(sums, i -> sums[i] + (Double.isNaN(each[i]) ? 0 : each[i])));
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
