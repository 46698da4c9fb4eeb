// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import io.quorate.format.NumberFormats;
import java.util.Locale;

/**
 * The trend of a metric during a long run.
 *
 * @param member number of the member from 1; 0 for the clients
 */
public record SoakTrend(Metric metric, int member, Trend trend) {
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

  /** Formats with three significant digits where there are decimals. */
  private String number(double value) {
    double shown = value / metric.divisor;
    double size = Math.abs(shown);
    return NumberFormats.fixed(shown, size >= 100 ? 0 : size >= 10 ? 1 : 2);
  }
}
