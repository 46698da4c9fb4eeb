// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures.outage;

import io.quorate.format.NumberFormats;
import java.util.List;

/**
 * A time of an outage, or the part of it that was observed.
 *
 * @param ms milliseconds
 * @param ended whether it ended while it was observed; otherwise it is longer than these
 *     milliseconds
 */
public record OutageTime(double ms, boolean ended) implements Comparable<OutageTime> {
  static final double NANOS_PER_MS = 1e6;

  private static final double MS_PER_SECOND = 1000;
  private static final double MANY_MS = 10_000;

  static OutageTime ofNanos(long nanos) {
    return new OutageTime(nanos / NANOS_PER_MS, true);
  }

  /** Returns a time that did not end within these nanoseconds. */
  static OutageTime beyond(long nanos) {
    return new OutageTime(nanos / NANOS_PER_MS, false);
  }

  /** Compares what was observed; of two equal ones, the one that did not end is longer. */
  @Override
  public int compareTo(OutageTime other) {
    return ms == other.ms ? Boolean.compare(other.ended, ended) : Double.compare(ms, other.ms);
  }

  /** Returns the time in words: {@code 812 ms}, {@code 1.30 s}, or {@code > 22.0 s}. */
  public String text() {
    return (ended ? "" : "> ") + text(ms);
  }

  /** Returns milliseconds in words, with about three digits, and a minus if they are negative. */
  public static String text(double ms) {
    if (ms < 0) {
      return "-" + text(-ms);
    }
    if (ms < 10) {
      return NumberFormats.fixed(ms, 1) + " ms";
    }
    return Math.round(ms) < MS_PER_SECOND
        ? Math.round(ms) + " ms"
        : NumberFormats.fixed(ms / MS_PER_SECOND, ms < MANY_MS ? 2 : 1) + " s";
  }

  /** Returns the time of an ascending list by its rank, from 0 to 1; {@code -} if it is empty. */
  public static String at(List<Double> ascendingMs, double rank) {
    if (ascendingMs.isEmpty()) {
      return "-";
    }
    int index = (int) Math.ceil(rank * ascendingMs.size()) - 1;
    return text(ascendingMs.get(Math.max(0, index)));
  }
}
