// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.live;

import static io.quorate.format.NumberFormats.commas;

import io.quorate.format.NumberFormats;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;

/**
 * A line of live progress, of at most {@value #WIDTH} columns unless the name of the database is
 * long. What does not fit is left out, but never the time left.
 *
 * @param database name of the database
 * @param part part of the load: {@code 2/5}, or {@code trial}
 * @param load load of this step: number of clients or rate
 * @param done number of requests of all steps that have ended, including errors
 * @param total number of requests of all steps; empty if a step ends by time
 * @param interval latencies of the successes in the last interval, in nanoseconds
 * @param intervalNanos length of the interval; 0 if no request has begun
 * @param errors number of errors of all steps
 * @param dropped number of requests of all steps that were due but not sent
 * @param secondsLeft estimated time until the load of this database ends, 0 if only responses are
 *     missing; empty if unknown
 * @param secondsLeftOfAll the same for all databases of the run; empty if this one is the last
 */
record ProgressLine(
    String database,
    String part,
    String load,
    long done,
    OptionalLong total,
    Histogram interval,
    long intervalNanos,
    long errors,
    long dropped,
    OptionalDouble secondsLeft,
    OptionalDouble secondsLeftOfAll) {
  static final int WIDTH = 72;

  private static final double NANOS_PER_SECOND = 1e9;
  private static final double NANOS_PER_MILLI = 1e6;

  static String ofPreparation(String database, String what, long done, long total) {
    return database
        + "  "
        + what
        + "  "
        + (total == 0
            ? NumberFormats.count(done, "request")
            : "%s  %s of %s".formatted(percent(done, total), commas(done), commas(total)));
  }

  private static String percent(long done, long total) {
    return 100 * done / total + "%";
  }

  @Override
  public String toString() {
    long perSecond =
        interval.getTotalCount() == 0
            ? 0
            : Math.round(interval.getTotalCount() / (intervalNanos / NANOS_PER_SECOND));
    String p50 = "p50 " + millis(50);
    String p99 = "p99 " + millis(99);
    String ofAll =
        secondsLeftOfAll.isEmpty()
            ? ""
            : ", " + NumberFormats.duration(secondsLeftOfAll.getAsDouble()) + " for all databases";
    List<String> parts =
        new ArrayList<>(
            List.of(
                database + " " + part,
                load,
                total.isPresent()
                    ? percent(done, total.getAsLong())
                    : NumberFormats.count(done, "request"),
                commas(perSecond) + "/s",
                p50,
                p99,
                NumberFormats.count(errors, "error")
                    + (dropped == 0 ? "" : ", " + commas(dropped) + " dropped")));
    if (secondsLeft.isPresent()) {
      parts.add(left() + ofAll);
    }
    for (String dispensable : List.of(p50, ofAll, load, p99)) {
      if (String.join("  ", parts).length() > WIDTH) {
        parts.remove(dispensable);
        parts.replaceAll(each -> each.equals(left() + dispensable) ? left() : each);
      }
    }
    return String.join("  ", parts);
  }

  private String millis(double percentile) {
    return interval.getTotalCount() == 0
        ? "-"
        : NumberFormats.milliseconds(interval.getValueAtPercentile(percentile) / NANOS_PER_MILLI);
  }

  private String left() {
    return secondsLeft.orElse(0) <= 0
        ? "waiting for the last responses"
        : NumberFormats.duration(secondsLeft.getAsDouble()) + " left";
  }
}
