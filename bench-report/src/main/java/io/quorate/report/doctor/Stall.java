// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.doctor;

import static io.quorate.report.judge.Sample.median;

import io.quorate.report.figures.StepFigures;
import io.quorate.results.DatabaseRun;
import io.quorate.results.RunEvent;
import io.quorate.results.requests.TenthRow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A time in which requests took much longer than usual, or none succeeded. It begins when the
 * slowest request that ended in a slow tenth of a second was due, and it ends with that tenth.
 * Overlapping stalls are one. Times are in milliseconds since 1970.
 *
 * @param longestMs longest response time, or time without success, within it
 */
public record Stall(double startMillis, double endMillis, double longestMs) {
  /** A tenth is slow if its p99 exceeds the usual p99 of its operation by this factor. */
  public static final int FACTOR = 5;

  /** A tenth with a p99 below this is not slow. */
  public static final double LEAST_MS = 10;

  private static final double NANOS_PER_MS = 1e6;

  /** Distance below which two stalls are one. */
  private static final double APART_MILLIS = 100;

  /**
   * Returns the stalls of all steps in their order. The usual p99 is the median of the p99 of all
   * tenths of an operation of a step.
   */
  static List<Stall> of(DatabaseRun run, List<StepFigures> steps) {
    List<Stall> found = new ArrayList<>();
    if (run.manifest().load().mix().usesSessionsOnly()) {
      return found; // they wait for each other, or for the end of a TTL
    }
    Map<String, List<TenthRow>> series = new HashMap<>();
    for (TenthRow row : run.tenths()) {
      series.computeIfAbsent(row.step() + " " + row.operation(), any -> new ArrayList<>()).add(row);
    }
    for (List<TenthRow> rows : series.values()) {
      double threshold = thresholdMs(rows) * NANOS_PER_MS;
      rows.stream()
          .filter(row -> row.p99Nanos() > threshold)
          .map(
              row ->
                  new Stall(
                      Math.min(
                          row.startUnixMillis(),
                          row.endUnixMillis() - row.maxNanos() / NANOS_PER_MS),
                      row.endUnixMillis(),
                      row.maxNanos() / NANOS_PER_MS))
          .forEach(found::add);
    }
    run.events().stream()
        .filter(event -> event.kind() == RunEvent.Kind.NO_SUCCESS)
        .filter(event -> steps.stream().anyMatch(step -> step.number() == event.step()))
        .map(
            event ->
                new Stall(
                    event.startUnixNanos() / NANOS_PER_MS,
                    event.endUnixNanos() / NANOS_PER_MS,
                    event.nanos() / NANOS_PER_MS))
        .forEach(found::add);
    return merged(found);
  }

  /** Returns the p99 above which a tenth is slow, in milliseconds. */
  static double thresholdMs(List<TenthRow> rows) {
    double[] p99 =
        rows.stream().mapToDouble(row -> row.p99Nanos() / NANOS_PER_MS).sorted().toArray();
    return Math.max(LEAST_MS, FACTOR * median(p99));
  }

  static List<Stall> merged(List<Stall> stalls) {
    List<Stall> merged = new ArrayList<>();
    stalls.stream()
        .sorted(Comparator.comparingDouble(Stall::startMillis))
        .forEach(
            stall -> {
              int last = merged.size() - 1;
              if (last >= 0 && stall.startMillis - merged.get(last).endMillis <= APART_MILLIS) {
                merged.set(last, merged.get(last).and(stall));
              } else {
                merged.add(stall);
              }
            });
    return merged;
  }

  private Stall and(Stall other) {
    return new Stall(
        Math.min(startMillis, other.startMillis),
        Math.max(endMillis, other.endMillis),
        Math.max(longestMs, other.longestMs));
  }
}
