// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.capacity;

import static io.quorate.capacity.TrialVerdict.FAIL;
import static io.quorate.capacity.TrialVerdict.PASS;

import io.quorate.capacity.Bound;
import io.quorate.capacity.Outcome;
import io.quorate.capacity.SearchResult;
import io.quorate.capacity.Trial.Stage;
import io.quorate.capacity.TrialVerdict;
import io.quorate.results.DatabaseDirectory;
import io.quorate.scenario.CapacityGoal;
import io.quorate.scenario.SloLimit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Searches for tests. */
public final class Searches {
  private static final List<SloLimit> LIMITS =
      Stream.of("p99 <= 20 ms", "errors = 0")
          .map(each -> SloLimit.parse(each).orElseThrow())
          .toList();
  private static final long NANOS_PER_MS = 1_000_000;
  private static final long[] CURVE_PERCENT = {10, 25, 50, 75, 90, 100, 110};

  private Searches() {}

  /**
   * Writes a search that found a capacity, with its curve.
   *
   * @param capacity that held in all of its trials, requests per second
   */
  public static void write(DatabaseDirectory directory, long capacity) {
    write(directory, capacity, Optional.empty());
  }

  /** Writes the same search, stated in a unit. */
  public static void write(
      DatabaseDirectory directory, long capacity, Optional<CapacityGoal.Unit> unit) {
    TrialsJournal journal =
        TrialsJournal.begin(
            directory,
            new SearchRecord.Header(
                "writes",
                LIMITS,
                CapacityGoal.Search.FULL,
                capacity / 2,
                CapacityGoal.Load.RATE,
                0,
                unit,
                Map.of()));
    long above = capacity * 105 / 100;
    journal.add(trial(1, Stage.BRACKET, capacity / 2, PASS, 2));
    journal.add(trial(2, Stage.BRACKET, above, FAIL, 40));
    for (int i = 0; i < 3; i++) {
      journal.add(trial(3 + 2 * i, Stage.CONFIRM, capacity, PASS, 14 + i));
      journal.add(trial(4 + 2 * i, Stage.CONFIRM, above, FAIL, 40 + i));
    }
    journal.add(
        new SearchResult(
            Outcome.FOUND,
            Optional.of(new Bound(capacity, 3, 3)),
            Optional.of(new Bound(above, 0, 3)),
            8));
    for (int i = 0; i < CURVE_PERCENT.length; i++) {
      long load = capacity * CURVE_PERCENT[i] / 100;
      journal.add(
          trial(9 + i, Stage.CURVE, load, load > capacity ? FAIL : PASS, CURVE_PERCENT[i] / 7));
    }
    journal.add(new OverloadRecovery(capacity * 3 / 2, 5, capacity * 4 / 5, 30, OptionalInt.of(4)));
  }

  private static TrialRow trial(
      int number, Stage stage, long load, TrialVerdict verdict, long p99Ms) {
    boolean failed = verdict == FAIL;
    return new TrialRow(
        number,
        stage,
        load,
        31.5,
        20,
        verdict,
        failed ? Optional.of("drowned: cut short") : Optional.empty(),
        OptionalDouble.of(failed ? 4 : 0.5),
        failed ? 0.04 : 0.005,
        load,
        failed ? load * 0.97 : load,
        new TrialLatencies(
            OptionalLong.of(p99Ms * NANOS_PER_MS / 4 + 1),
            OptionalLong.of(p99Ms * NANOS_PER_MS),
            Optional.of(
                new PercentileInterval(
                    p99Ms * NANOS_PER_MS * 9 / 10, p99Ms * NANOS_PER_MS * 5 / 4)),
            OptionalLong.of(p99Ms * NANOS_PER_MS * 2)),
        0,
        failed ? 12 : 0,
        OptionalLong.of(120_000),
        0.4,
        OptionalDouble.of(failed ? 1.5 : 1.2),
        OptionalDouble.of(failed ? 0.99 : 0.85),
        new ServerActivity(
            OptionalDouble.of(failed ? 0.9 : 0.6),
            OptionalDouble.of(failed ? 0.7 : 0.4),
            OptionalDouble.of(failed ? 0.35 : 0.3),
            Map.of("the WAL's fsync", failed ? 31.0 : 7.5),
            OptionalInt.of(1)),
        OptionalInt.empty());
  }
}
