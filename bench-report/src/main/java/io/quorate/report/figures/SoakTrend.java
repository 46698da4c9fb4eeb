// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import io.quorate.QuorateException;
import io.quorate.format.NumberFormats;
import io.quorate.results.DatabaseRun;
import io.quorate.results.hosts.HostMeasurements;
import io.quorate.results.hosts.HostTimeline;
import io.quorate.results.latency.LatencyInterval;
import io.quorate.results.latency.Percentile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongToDoubleFunction;

/**
 * The trend of a metric during a run of {@value #LEAST_SECONDS} s or more with one step: memory,
 * open files and database size of each member, and the p99 of the clients. The first tenth of the
 * run is left out, as caches and heaps fill then.
 *
 * @param member number of the member from 1; 0 for the clients
 */
public record SoakTrend(Metric metric, int member, Trend trend) {
  static final int LEAST_SECONDS = 600;

  /** The metrics, in the order of the table. */
  public enum Metric {
    MEMORY("memory", "MB", 1e6),
    OPEN_FILES("open files", "files", 1),
    DATA("database size", "MB", 1e6),
    P99("p99", "ms", 1);

    private final String title;
    private final String unit;
    private final double divisor;

    Metric(String title, String unit, double divisor) {
      this.title = title;
      this.unit = unit;
      this.divisor = divisor;
    }
  }

  /** Returns the trends of a run; none if it is shorter, not complete, or has several steps. */
  static List<SoakTrend> of(DatabaseRun run, ClientTimeline clients) {
    if (!run.manifest().status().isMeasured() || run.manifest().load().steps().size() > 1) {
      return List.of();
    }
    try {
      return of(
          run.machines(),
          run.manifest().store().knowledge().dataSize(),
          run.latencies().intervals(),
          clients.first(),
          clients.last());
    } catch (QuorateException unreadable) {
      return List.of(); // HostAnalysis reads the same files, and names the problem
    }
  }

  static List<SoakTrend> of(
      HostMeasurements machines,
      Optional<String> dataSize,
      List<LatencyInterval> intervals,
      long first,
      long last) {
    if (last + 1 - first < LEAST_SECONDS) {
      return List.of();
    }
    Analysis soak = new Analysis(machines, first, last);
    machines.files().servers().forEach(soak::addMember);
    dataSize.ifPresent(soak::addSizes);
    soak.addLatency(intervals);
    return List.copyOf(soak.trends);
  }

  /** Returns what it is: {@code memory of member 2}. */
  public String title() {
    return metric.title + (member == 0 ? "" : " of member " + member);
  }

  public String median() {
    return number(trend.median()) + " " + metric.unit;
  }

  /** Returns the change in an hour, with its sign and unit. */
  public String perHour() {
    return (trend.perHour() > 0 ? "+" : "") + number(trend.perHour()) + " " + metric.unit + "/h";
  }

  /** Returns the 95% interval of the change in an hour. */
  public String interval() {
    return number(trend.from()) + " to " + number(trend.to());
  }

  /** Returns the verdict: {@code grows by 12.3 MB/h (95%: 11.0 to 13.5)}. */
  public String verdict() {
    return trend.direction() == Trend.Direction.NONE
        ? "no growth found"
        : "%s by %s %s/h (95%%: %s)"
            .formatted(
                trend.direction().name().toLowerCase(Locale.ROOT),
                number(Math.abs(trend.perHour())),
                metric.unit,
                interval());
  }

  public boolean grows() {
    return trend.direction() == Trend.Direction.GROWS;
  }

  private String number(double value) {
    return NumberFormats.plainDigits(value / metric.divisor);
  }

  /** Collects the trends of a run. */
  private static final class Analysis {
    private static final int WINDOWS = 40;
    private static final int LEFT_OUT = 10;
    private static final String FILES = "FD";

    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final double NANOS_PER_MS = 1e6;
    private static final double SECONDS_PER_HOUR = 3600;

    private final HostMeasurements machines;
    private final long first;
    private final int seconds;
    private final List<SoakTrend> trends = new ArrayList<>();

    /**
     * Prepares the analysis of a load.
     *
     * @param first first second of the load, since 1970
     * @param last last second of the load
     */
    Analysis(HostMeasurements machines, long first, long last) {
      this.machines = machines;
      this.first = first + (last + 1 - first) / LEFT_OUT;
      this.seconds = (int) (last + 1 - this.first);
    }

    private void addMember(int member, Path file) {
      machines
          .timeline(file, List.of(), List.of(ServerColumn.MEMORY.source(), FILES))
          .ifPresent(
              timeline -> {
                add(Metric.MEMORY, member, levels(timeline, ServerColumn.MEMORY.source()));
                add(Metric.OPEN_FILES, member, levels(timeline, FILES));
              });
    }

    private double[] levels(HostTimeline timeline, String column) {
      return values(second -> timeline.level(column, second * NANOS_PER_SECOND));
    }

    private double[] values(LongToDoubleFunction ofSecond) {
      double[] values = new double[seconds];
      Arrays.setAll(values, i -> ofSecond.applyAsDouble(first + i));
      return values;
    }

    private void addSizes(String metric) {
      for (int member : machines.reported().members()) {
        add(Metric.DATA, member, machines.reported().of(member, metric).bySecond(first, seconds));
      }
    }

    /** Adds the p99 of each second, of the operation with the greatest. */
    private void addLatency(List<LatencyInterval> intervals) {
      double[] values = values(any -> Double.NaN);
      for (LatencyInterval each : intervals) {
        long place = each.startMillis() / 1000 - first;
        if (place >= 0 && place < seconds) {
          double ms = each.nanos(Percentile.P99) / NANOS_PER_MS;
          values[(int) place] = ClientSecond.most(values[(int) place], ms);
        }
      }
      add(Metric.P99, 0, values);
    }

    private void add(Metric metric, int member, double[] values) {
      double[] hours = new double[WINDOWS];
      Arrays.setAll(hours, i -> (i + 0.5) * seconds / WINDOWS / SECONDS_PER_HOUR);
      Trend.of(hours, Trend.means(values, WINDOWS))
          .ifPresent(trend -> trends.add(new SoakTrend(metric, member, trend)));
    }
  }
}
