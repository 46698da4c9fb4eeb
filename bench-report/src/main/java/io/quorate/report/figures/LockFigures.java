// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import io.quorate.report.figures.outage.Survival;
import io.quorate.results.DatabaseRun;
import io.quorate.results.LockRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * The locks that the clients of a step took. All times are ascending, in milliseconds.
 *
 * @param step the step
 * @param holds how often a client held a lock
 * @param waitMs time from the request for a lock until it was held
 * @param handOverMs time from the beginning of a release until another client, which had been
 *     waiting, held the lock
 * @param afterCrashMs the same after the holder had stopped as if it had died
 * @param requests mean number of requests for a lock; empty if unknown
 * @param fairness Jain's index of the holds of the clients: 1 if all have the same number, 1/n if
 *     one of n clients has all (Jain, Chiu, Hawe: DEC-TR-301, 1984)
 * @param overtaken holds whose client had requested the lock later than a client that still waited
 * @param holders times at which two clients believed that they held the same lock
 * @param longestHoldersMs longest of these times; empty if there was none
 */
public record LockFigures(
    StepFigures step,
    long holds,
    List<Double> waitMs,
    List<Double> handOverMs,
    List<Double> afterCrashMs,
    OptionalDouble requests,
    double fairness,
    long overtaken,
    long holders,
    OptionalDouble longestHoldersMs) {
  private static final double NANOS_PER_MS = 1e6;

  /** Returns the locks of each step that took some. */
  static List<LockFigures> of(DatabaseRun run, List<StepFigures> steps) {
    return StepFigures.recorded(
        steps, run.journals().locks(), LockRecord::step, (step, locks) -> of(step, locks));
  }

  private static LockFigures of(StepFigures step, List<LockRecord> records) {
    List<LockRecord> locks =
        records.stream().sorted(Comparator.comparingLong(LockRecord::heldNanos)).toList();
    List<Double> handOver = new ArrayList<>();
    List<Double> afterCrash = new ArrayList<>();
    long overtaken = 0;
    for (List<LockRecord> ofLock :
        locks.stream().collect(Collectors.groupingBy(LockRecord::lock)).values()) {
      overtaken += overtaken(ofLock);
      for (int i = 1; i < ofLock.size(); i++) {
        LockRecord before = ofLock.get(i - 1);
        LockRecord next = ofLock.get(i);
        boolean waited = next.requestedNanos() < before.endedNanos();
        boolean crashed = before.end().equals(Optional.of(LockRecord.End.CRASHED));
        if (waited && !before.lost() && next.heldNanos() >= before.endedNanos()) {
          (crashed ? afterCrash : handOver)
              .add((next.heldNanos() - before.endedNanos()) / NANOS_PER_MS);
        }
      }
    }
    List<Long> overlaps = Survival.overlaps(locks, any -> true);
    return new LockFigures(
        step,
        locks.size(),
        locks.stream()
            .map(each -> (each.heldNanos() - each.requestedNanos()) / NANOS_PER_MS)
            .sorted()
            .toList(),
        handOver.stream().sorted().toList(),
        afterCrash.stream().sorted().toList(),
        locks.stream().flatMapToInt(each -> each.requests().stream()).average(),
        fairness(locks, step.asked().clients()),
        overtaken,
        overlaps.size(),
        overlaps.stream().mapToDouble(each -> each / NANOS_PER_MS).max());
  }

  /** Returns how many of the holds of a lock were requested later than a later hold. */
  private static long overtaken(List<LockRecord> ofLock) {
    long count = 0;
    long earliestLater = Long.MAX_VALUE;
    for (int i = ofLock.size() - 1; i >= 0; i--) {
      count += ofLock.get(i).requestedNanos() > earliestLater ? 1 : 0;
      earliestLater = Math.min(earliestLater, ofLock.get(i).requestedNanos());
    }
    return count;
  }

  private static double fairness(List<LockRecord> locks, int clients) {
    Map<Integer, Long> holds =
        locks.stream().collect(Collectors.groupingBy(LockRecord::client, Collectors.counting()));
    double squares = holds.values().stream().mapToDouble(each -> (double) each * each).sum();
    return (double) locks.size() * locks.size() / (clients * squares);
  }
}
