// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import io.quorate.report.figures.outage.ExpectedOutage;
import io.quorate.report.figures.outage.Survival;
import io.quorate.results.DatabaseRun;
import io.quorate.results.SessionRecord;
import io.quorate.results.manifest.StoreInfo;
import io.quorate.store.server.TimeRange;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The sessions that the clients of a step abandoned.
 *
 * @param step the step
 * @param sessions number of sessions
 * @param ttlMs TTL that the store granted
 * @param overshootMs how much later than the TTL after the last acknowledged keep-alive each was
 *     removed, ascending, in milliseconds
 * @param early sessions that the store ended within the TTL after an acknowledged keep-alive
 * @param notSeen sessions whose end was not observed
 * @param perSecond ends per second, from the first to the last; empty with less than two
 * @param expected overshoot that the documented rule of the store allows; empty if unknown
 */
public record ExpirationFigures(
    StepFigures step,
    long sessions,
    double ttlMs,
    List<Double> overshootMs,
    long early,
    long notSeen,
    OptionalDouble perSecond,
    Optional<TimeRange> expected) {
  private static final double NANOS_PER_MS = 1e6;
  private static final double NANOS_PER_SECOND = 1e9;

  /** Returns the sessions of each step that abandoned some. */
  static List<ExpirationFigures> of(DatabaseRun run, List<StepFigures> steps) {
    return StepFigures.recorded(
        steps,
        run.journals().sessions(),
        SessionRecord::step,
        (step, sessions) -> of(step, sessions, run.manifest().store()));
  }

  private static ExpirationFigures of(
      StepFigures step, List<SessionRecord> sessions, StoreInfo store) {
    double ttlMs = sessions.get(0).ttlNanos() / NANOS_PER_MS;
    LongSummaryStatistics ends =
        sessions.stream().flatMapToLong(each -> each.endedNanos().stream()).summaryStatistics();
    double seconds = (ends.getMax() - ends.getMin()) / NANOS_PER_SECOND;
    return new ExpirationFigures(
        step,
        sessions.size(),
        ttlMs,
        Survival.overshootMs(sessions),
        sessions.stream().filter(SessionRecord::endedEarly).count(),
        sessions.stream().filter(each -> each.endedNanos().isEmpty()).count(),
        ends.getCount() < 2 || seconds <= 0
            ? OptionalDouble.empty()
            : OptionalDouble.of((ends.getCount() - 1) / seconds),
        ExpectedOutage.overshoot(store, ttlMs));
  }
}
