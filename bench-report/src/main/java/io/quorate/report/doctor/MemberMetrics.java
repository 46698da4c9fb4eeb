// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.doctor;

import static io.quorate.report.judge.Sample.median;

import io.quorate.results.hosts.MemberSeries;
import io.quorate.store.server.ReportedMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * What members reported about themselves, by second.
 *
 * @param members number of members of the cluster
 */
record MemberMetrics(MemberSeries reported, int members) {
  private static final double MILLIS_PER_SECOND = 1000;

  /**
   * A value of a member for the time between two samples.
   *
   * @param startMillis time of the earlier sample, in milliseconds since 1970
   */
  record Sample(int member, double startMillis, double endMillis, double value) {}

  /** Returns the values of a metric of all members, each since the sample before. */
  List<Sample> samples(String metric) {
    List<Sample> all = new ArrayList<>();
    for (int member : reported.members()) {
      MemberSeries.Series values = reported.of(member, metric);
      for (int i = 0; i < values.size(); i++) {
        all.add(sample(member, values.second(i) - 1, values.second(i), values.value(i)));
      }
    }
    return all;
  }

  /** Returns the growth of a counter of all members between consecutive samples, 0 or more. */
  List<Sample> growth(String metric) {
    List<Sample> all = new ArrayList<>();
    for (int member : reported.members()) {
      MemberSeries.Series values = reported.of(member, metric);
      for (int i = 1; i < values.size(); i++) {
        double grown = values.value(i) - values.value(i - 1);
        if (grown >= 0) { // a server that was started again counts from 0
          all.add(sample(member, values.second(i - 1), values.second(i), grown));
        }
      }
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
    MemberSeries.Series values = reported.of(member, metric);
    int first = values.ceiling((long) Math.floor(startMillis / 1000));
    int last = values.ceiling((long) Math.ceil(endMillis / 1000) + 1) - 1;
    return last <= first || values.value(last) < values.value(first)
        ? OptionalDouble.empty()
        : OptionalDouble.of(values.value(last) - values.value(first));
  }

  /** Returns the growth of all members together; empty if no member reported it. */
  OptionalDouble growthOfAll(String metric, double startMillis, double endMillis) {
    double[] all =
        reported.members().stream()
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

    private MemberSeries.Series series(String metric) {
      return all.reported.of(member, metric);
    }

    @Override
    public OptionalDouble last(String metric) {
      return series(metric).last();
    }

    @Override
    public OptionalDouble most(String metric) {
      MemberSeries.Series values = series(metric);
      return IntStream.range(0, values.size()).mapToDouble(values::value).max();
    }

    @Override
    public OptionalDouble growth(String metric) {
      return all.growth(member, metric, startMillis, endMillis);
    }

    @Override
    public OptionalDouble usual(String metric) {
      MemberSeries.Series all = series(metric);
      int first = all.ceiling((long) (startMillis / MILLIS_PER_SECOND));
      int end = all.ceiling((long) (endMillis / MILLIS_PER_SECOND) + 2);
      double[] values = IntStream.range(first, end).mapToDouble(all::value).toArray();
      return values.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(median(values));
    }
  }
}
