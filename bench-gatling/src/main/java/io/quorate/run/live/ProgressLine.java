// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.live;

import io.quorate.format.NumberFormats;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;

/**
 * A line of live progress.
 *
 * @param database id of the database
 * @param part part of the load: {@code step 2/5}, or {@code trial}
 * @param operations operations of requests: {@code put}, or {@code 95% get, 5% put}
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
    String operations,
    String load,
    long done,
    OptionalLong total,
    Histogram interval,
    long intervalNanos,
    long errors,
    long dropped,
    OptionalDouble secondsLeft,
    OptionalDouble secondsLeftOfAll) {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double NANOS_PER_MILLI = 1e6;

  static String ofPreparation(String database, String what, long done, long total) {
    return database + "  " + what + "  " + (total == 0 ? requests(done) : part(done, total));
  }

  private static String requests(long done) {
    return NumberFormats.count(done, "request");
  }

  private static String part(long done, long total) {
    return String.format(Locale.ROOT, "%d%% (%,d/%,d)", 100 * done / total, done, total);
  }

  @Override
  public String toString() {
    long perSecond =
        interval.getTotalCount() == 0
            ? 0
            : Math.round(interval.getTotalCount() / (intervalNanos / NANOS_PER_SECOND));
    return String.format(
        Locale.ROOT,
        "%s  %s  %s, %s  %s  %,d req/s  %s  %,d errors%s%s",
        database,
        part,
        operations,
        load,
        soFar(),
        perSecond,
        percentiles(),
        errors,
        dropped == 0 ? "" : String.format(Locale.ROOT, ", %,d dropped", dropped),
        estimatedEnd());
  }

  private String soFar() {
    return total.isPresent()
        ? part(done, total.getAsLong())
        : String.format(Locale.ROOT, "%,d requests", done);
  }

  private String percentiles() {
    return interval.getTotalCount() == 0
        ? "p50 -  p99 -"
        : "p50 " + millis(50) + " ms  p99 " + millis(99) + " ms";
  }

  private String millis(double percentile) {
    return BigDecimal.valueOf(interval.getValueAtPercentile(percentile) / NANOS_PER_MILLI)
        .setScale(2, RoundingMode.HALF_EVEN)
        .toPlainString();
  }

  private String estimatedEnd() {
    if (secondsLeft.isEmpty()) {
      return "";
    }
    return secondsLeft.getAsDouble() <= 0
        ? "  waiting for the last responses"
        : "  about "
            + time(secondsLeft.getAsDouble())
            + " left"
            + (secondsLeftOfAll.isEmpty()
                ? ""
                : ", " + time(secondsLeftOfAll.getAsDouble()) + " for all databases");
  }

  private static String time(double seconds) {
    return seconds < 119.5 ? Math.round(seconds) + " s" : Math.round(seconds / 60.0) + " min";
  }
}
