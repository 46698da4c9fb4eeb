// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.doctor;

import static io.quorate.report.judge.Sample.median;

import io.quorate.results.hosts.HostFiles.InternalRow;
import io.quorate.store.server.ReportedMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.DoubleStream;

/**
 * What members reported about themselves, by second.
 *
 * @param series values by member, from 1, then by metric, then by second since 1970
 * @param members number of members of the cluster
 */
record MemberMetrics(TreeMap<Integer, Map<String, TreeMap<Long, Double>>> series, int members) {
  private static final double MILLIS_PER_SECOND = 1000;

  /**
   * A value of a member for the time between two samples.
   *
   * @param startMillis time of the earlier sample, in milliseconds since 1970
   */
  record Sample(int member, double startMillis, double endMillis, double value) {}

  static MemberMetrics of(List<InternalRow> rows, int members) {
    TreeMap<Integer, Map<String, TreeMap<Long, Double>>> series = new TreeMap<>();
    for (InternalRow row : rows) {
      series
          .computeIfAbsent(row.member(), any -> new TreeMap<>())
          .computeIfAbsent(row.metric(), any -> new TreeMap<>())
          .put(row.unixSecond(), row.value());
    }
    return new MemberMetrics(series, members);
  }

  /** Returns the values of a metric of a member by second; none if it did not report it. */
  TreeMap<Long, Double> values(int member, String metric) {
    return series.getOrDefault(member, Map.of()).getOrDefault(metric, new TreeMap<>());
  }

  /** Returns the values of a metric of all members, each since the sample before. */
  List<Sample> samples(String metric) {
    List<Sample> all = new ArrayList<>();
    for (int member : series.keySet()) {
      values(member, metric)
          .forEach((second, value) -> all.add(sample(member, second - 1, second, value)));
    }
    return all;
  }

  /** Returns the growth of a counter of all members between consecutive samples, 0 or more. */
  List<Sample> growth(String metric) {
    List<Sample> all = new ArrayList<>();
    for (int member : series.keySet()) {
      TreeMap<Long, Double> values = values(member, metric);
      values.forEach(
          (second, value) -> {
            Map.Entry<Long, Double> before = values.lowerEntry(second);
            // a server that was started again counts from 0
            if (before != null && value >= before.getValue()) {
              all.add(sample(member, before.getKey(), second, value - before.getValue()));
            }
          });
    }
    return all;
  }

  private Sample sample(int member, long from, long to, double value) {
    double offset = (double) member / (members + 1);
    return new Sample(
        member, (from + offset) * MILLIS_PER_SECOND, (to + offset) * MILLIS_PER_SECOND, value);
  }

  /**
   * Returns the growth of a counter of a member between the first and the last sample within a time
   * in milliseconds since 1970; empty without two samples, or if the member was started again.
   */
  OptionalDouble growth(int member, String metric, double startMillis, double endMillis) {
    TreeMap<Long, Double> values = values(member, metric);
    Map.Entry<Long, Double> first = values.ceilingEntry((long) Math.floor(startMillis / 1000));
    Map.Entry<Long, Double> last = values.floorEntry((long) Math.ceil(endMillis / 1000));
    return first == null
            || last == null
            || last.getKey() <= first.getKey()
            || last.getValue() < first.getValue()
        ? OptionalDouble.empty()
        : OptionalDouble.of(last.getValue() - first.getValue());
  }

  /** Returns the growth of all members together; empty if no member reported it. */
  OptionalDouble growthOfAll(String metric, double startMillis, double endMillis) {
    double[] all =
        series.keySet().stream()
            .flatMapToDouble(member -> growth(member, metric, startMillis, endMillis).stream())
            .toArray();
    return all.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(DoubleStream.of(all).sum());
  }

  /** Returns what a member reported between two times in milliseconds since 1970. */
  ReportedMetrics of(int member, double startMillis, double endMillis) {
    return new Values(this, member, startMillis, endMillis);
  }

  private record Values(MemberMetrics all, int member, double startMillis, double endMillis)
      implements ReportedMetrics {
    @Override
    public double millis() {
      return endMillis - startMillis;
    }

    @Override
    public OptionalDouble last(String metric) {
      TreeMap<Long, Double> values = all.values(member, metric);
      return values.isEmpty()
          ? OptionalDouble.empty()
          : OptionalDouble.of(values.lastEntry().getValue());
    }

    @Override
    public OptionalDouble most(String metric) {
      return all.values(member, metric).values().stream().mapToDouble(value -> value).max();
    }

    @Override
    public OptionalDouble growth(String metric) {
      return all.growth(member, metric, startMillis, endMillis);
    }

    @Override
    public OptionalDouble usual(String metric) {
      long first = (long) (startMillis / MILLIS_PER_SECOND);
      long last = (long) (endMillis / MILLIS_PER_SECOND) + 1;
      double[] values =
          all.values(member, metric).subMap(first, true, last, true).values().stream()
              .mapToDouble(value -> value)
              .toArray();
      return values.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(median(values));
    }
  }
}
