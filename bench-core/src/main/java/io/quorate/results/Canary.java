// SPDX-License-Identifier: Apache-2.0
package io.quorate.results;

import io.quorate.format.NumberFormats;
import io.quorate.format.StrictJson;
import io.quorate.scenario.Metric;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What the load generator's machine could do before or after a series of runs: a line of {@code
 * canary.jsonl} in the directory of the series. Every load is the same for all scenarios, so that a
 * difference is one of the machine.
 *
 * @param requestsPerSecond puts of one client each second into an in-memory map
 * @param syncMillis median time of an {@code fdatasync} after 2,300 bytes, in the results directory
 * @param loopMillis median time of a loop that only uses a CPU
 */
public record Canary(
    Instant start, double requestsPerSecond, double syncMillis, double loopMillis) {
  /** Name of the file. */
  public static final String FILE = "canary.jsonl";

  /** Number of directories from a database to its series, with both. */
  private static final int DEPTH = 5;

  /**
   * Factors by which canaries of an idle machine may differ. On a virtual machine, four canaries
   * within a minute differed by 1.02 in memory, 1.01 on the CPU and 1.25 on the disk.
   */
  private static final Map<Metric, Double> NOISE =
      Map.of(Metric.CANARY_LOAD, 1.1, Metric.CANARY_LOOP, 1.1, Metric.CANARY_SYNC, 1.3);

  public Canary {
    if (!(requestsPerSecond > 0 && syncMillis > 0 && loopMillis > 0)) {
      throw new IllegalArgumentException(
          "found %s, %s and %s, expected numbers above 0"
              .formatted(requestsPerSecond, syncMillis, loopMillis));
    }
  }

  /**
   * The measured value that changed most between canaries.
   *
   * @param factor greatest value divided by the least one
   */
  public record Movement(Metric metric, double factor) {
    @Override
    public String toString() {
      return "%s by %s%%".formatted(metric.title(), NumberFormats.fixed(100 * (factor - 1), 0));
    }
  }

  /** Returns the canaries of a series of runs; none if it has none. */
  public static List<Canary> read(Path series) {
    return StrictJson.readLines(series.resolve(FILE), Canary.class);
  }

  /** Returns the file of the series that a database of a run belongs to; empty if it has none. */
  public static Optional<Path> file(DatabaseDirectory database) {
    return Stream.iterate(database.path(), Objects::nonNull, Path::getParent)
        .limit(DEPTH)
        .map(each -> each.resolve(FILE))
        .filter(Files::isRegularFile)
        .findFirst();
  }

  /** Returns the canaries of the series that a database of a run belongs to. */
  public static List<Canary> of(DatabaseDirectory database) {
    return file(database).map(file -> StrictJson.readLines(file, Canary.class)).orElse(List.of());
  }

  /** Adds it to the file of a series. */
  public void append(Path series) {
    StrictJson.append(series.resolve(FILE), List.of(this));
  }

  /** Returns its values: {@code 1,739,000 requests/s in memory, fsync 0.1325 ms, loop 11.72 ms}. */
  @Override
  public String toString() {
    return "%s requests/s in memory, fsync %s ms, loop %s ms"
        .formatted(
            NumberFormats.commas(Math.round(requestsPerSecond)),
            NumberFormats.shortest(syncMillis),
            NumberFormats.shortest(loopMillis));
  }

  /** Returns its values in the units of their metrics. */
  public Map<Metric, Double> values() {
    return new EnumMap<>(
        Map.of(
            Metric.CANARY_LOAD, requestsPerSecond,
            Metric.CANARY_SYNC, syncMillis,
            Metric.CANARY_LOOP, loopMillis));
  }

  /** Returns the largest movement between canaries; empty if it is within their noise. */
  public static Optional<Movement> movement(Collection<Canary> canaries) {
    return NOISE.entrySet().stream()
        .map(
            each -> {
              DoubleSummaryStatistics values =
                  canaries.stream()
                      .mapToDouble(canary -> canary.values().getOrDefault(each.getKey(), 1.0))
                      .summaryStatistics();
              Movement moved = new Movement(each.getKey(), values.getMax() / values.getMin());
              return Optional.of(moved).filter(any -> moved.factor > each.getValue());
            })
        .flatMap(Optional::stream)
        .max(Comparator.comparingDouble(Movement::factor));
  }
}
