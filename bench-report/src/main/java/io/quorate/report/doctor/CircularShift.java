// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.doctor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Tests whether stalls overlap evidence more often than by chance: the circular shift test of event
 * series. The evidence is shifted along a circle that is as long as the measured time. So the
 * lengths of all events, and the distances between them, remain.
 *
 * <p>Time is divided into bins of {@value #BIN_MILLIS} ms. The time between steps is left out.
 */
final class CircularShift {
  /** Length of a bin in milliseconds. */
  static final int BIN_MILLIS = 100;

  /** Greatest number of shifts; the least p value is the reciprocal of one more. */
  private static final int SHIFTS = 999;

  /** Shortest shift in bins: at a shorter one, events still overlap what they overlapped before. */
  private static final int SHORTEST = 25;

  /** Part of a short time that is the shortest shift. */
  private static final int SHORTEST_PART = 8;

  /** Clocks and samples differ by up to this number of bins: 200 ms. */
  private static final int TOLERANCE = 2;

  static final int TOLERANCE_MILLIS = TOLERANCE * BIN_MILLIS;

  /** An event shorter than this part of a stall does not explain it. */
  private static final double LEAST_PART = 0.25;

  private final List<Window> windows;
  private final int bins;

  /** A measured time, in milliseconds since 1970. */
  record Window(double startMillis, double endMillis) {
    int bins() {
      return Math.max(1, (int) Math.ceil((endMillis - startMillis) / BIN_MILLIS));
    }
  }

  /**
   * The result of a test. Long stalls count more than short ones: each has its longest response
   * time as weight.
   *
   * @param observed number of stalls that overlap the evidence
   * @param expected mean number of stalls that overlap the shifted evidence
   * @param part weight of the stalls that overlap the evidence, as part of the weight of all
   * @param explained weight of the stalls beyond chance that overlap the evidence, as part of the
   *     weight beyond chance of all stalls, at most 1
   * @param p part of the shifts in which stalls of at least the same weight overlap: the p value of
   *     a one-sided test
   * @param events number of events that are long enough for one of these stalls; events next to
   *     each other are one
   * @param matched number of these events that overlap a stall
   */
  record Overlap(
      int observed,
      double expected,
      double part,
      double explained,
      double p,
      int events,
      int matched) {}

  /** Creates a test within the time of the measured steps, in their order. */
  CircularShift(List<Window> windows) {
    this.windows = List.copyOf(windows);
    this.bins = windows.stream().mapToInt(Window::bins).sum();
  }

  /** Compares stalls with evidence of one cause. */
  Overlap test(List<Stall> stalls, List<Evidence> evidence) {
    double[] longest = longest(evidence);
    List<Stall> observed = overlapping(stalls, longest, 0);
    int shortest = Math.max(1, Math.min(SHORTEST, bins / SHORTEST_PART));
    int possible = Math.max(0, bins - 2 * shortest + 1);
    int shifts = Math.min(SHIFTS, possible);
    double count = 0;
    double weight = 0;
    int atLeast = 0;
    for (int i = 0; i < shifts; i++) {
      List<Stall> shifted =
          overlapping(stalls, longest, shortest + (int) ((long) possible * i / shifts));
      count += shifted.size();
      weight += weight(shifted);
      atLeast += weight(shifted) >= weight(observed) ? 1 : 0;
    }
    double expected = shifts == 0 ? weight(observed) : weight / shifts;
    double beyond = weight(stalls) - expected;
    List<Event> events = events(longest, observed);
    return new Overlap(
        observed.size(),
        shifts == 0 ? observed.size() : count / shifts,
        stalls.isEmpty() ? 0 : weight(observed) / weight(stalls),
        beyond > 0 ? (weight(observed) - expected) / beyond : 0,
        (1.0 + atLeast) / (1 + shifts),
        events.size(),
        (int) events.stream().filter(event -> event.overlapsAny(stalls)).count());
  }

  /** An event in bins. */
  private final class Event {
    private final int first;
    private int last;

    Event(int first) {
      this.first = first;
      this.last = first;
    }

    boolean overlapsAny(List<Stall> stalls) {
      return stalls.stream()
          .anyMatch(stall -> bin(stall.startMillis()) <= last && bin(stall.endMillis()) >= first);
    }
  }

  /** Returns the events that are long enough for the shortest of some stalls. */
  private List<Event> events(double[] longest, List<Stall> stalls) {
    double least = LEAST_PART * stalls.stream().mapToDouble(Stall::longestMs).min().orElse(0);
    List<Event> events = new ArrayList<>();
    Event last = null;
    for (int bin = 0; bin < bins; bin++) {
      if (longest[bin] < Math.max(0, least)) {
        last = null;
      } else if (last == null) {
        last = new Event(bin);
        events.add(last);
      } else {
        last.last = bin;
      }
    }
    return events;
  }

  private static double weight(List<Stall> stalls) {
    return stalls.stream().mapToDouble(Stall::longestMs).sum();
  }

  /** Returns the stalls that evidence of one cause overlaps. */
  List<Stall> explained(List<Stall> stalls, List<Evidence> evidence) {
    return overlapping(stalls, longest(evidence), 0);
  }

  private List<Stall> overlapping(List<Stall> stalls, double[] longest, int shift) {
    return stalls.stream().filter(stall -> overlaps(stall, longest, shift)).toList();
  }

  private boolean overlaps(Stall stall, double[] longest, int shift) {
    double least = LEAST_PART * stall.longestMs();
    return IntStream.rangeClosed(bin(stall.startMillis()), bin(stall.endMillis()))
        .anyMatch(bin -> longest[(bin + shift) % bins] >= least);
  }

  /** Returns the longest event of each bin in milliseconds; negative in a bin without one. */
  private double[] longest(List<Evidence> evidence) {
    double[] longest = new double[bins];
    Arrays.fill(longest, -1);
    for (Evidence each : evidence) {
      int from = bin(each.startMillis()) - TOLERANCE;
      int to = bin(each.endMillis()) + TOLERANCE;
      for (int bin = Math.max(0, from); bin <= Math.min(bins - 1, to); bin++) {
        longest[bin] = Math.max(longest[bin], each.ms());
      }
    }
    return longest;
  }

  /** Returns the bin of a time; the nearest one outside of the measured time. */
  private int bin(double millis) {
    int before = 0;
    for (Window window : windows) {
      if (millis < window.startMillis) {
        return Math.max(0, before - 1);
      }
      if (millis < window.endMillis) {
        return before + (int) ((millis - window.startMillis) / BIN_MILLIS);
      }
      before += window.bins();
    }
    return bins - 1;
  }
}
