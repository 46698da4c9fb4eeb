// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures.outage;

import io.quorate.results.FaultRecord;
import io.quorate.results.Journals;
import io.quorate.results.LockRecord;
import io.quorate.results.SessionRecord;
import io.quorate.results.WatchedWrite;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.LongPredicate;

/**
 * What survived some faults, or the whole run, for clients next to the load. A fault lasts from its
 * start until the end of the time in which its effects are measured.
 *
 * @param ttlMs TTL of the sessions; empty if there were none
 * @param sessions sessions that were kept alive at the beginning of a fault, over all faults
 * @param alive those of them that the store did not end during the fault
 * @param endedEarly sessions that the store ended within the TTL after an acknowledged keep-alive
 * @param overshootMs how much later than the TTL after the last acknowledged keep-alive each
 *     abandoned session was seen to have ended, ascending
 * @param notEnded abandoned sessions whose end was not seen
 * @param holders times at which two clients believed that they held the same lock
 * @param longestHoldersMs longest of these times; empty if there was none
 * @param writes acknowledged writes of watched keys
 * @param lost events of these writes that a watch did not report, although the store promises that
 * @param repeated events that a watch reported again
 * @param reordered events that a watch reported after the event of a later write
 * @param latestMs longest time from the acknowledgment of a write until all watches had reported it
 *     or a later one; empty without writes
 */
public record Survival(
    OptionalDouble ttlMs,
    long sessions,
    long alive,
    long endedEarly,
    List<Double> overshootMs,
    long notEnded,
    long holders,
    OptionalDouble longestHoldersMs,
    long writes,
    long lost,
    long repeated,
    long reordered,
    OptionalDouble latestMs) {
  private static final double NANOS_PER_MS = 1e6;

  public Survival {
    overshootMs = List.copyOf(overshootMs);
  }

  /**
   * Returns how long two clients believed that they held the same lock, for each pair, in
   * nanoseconds.
   *
   * @param locks ascending by their beginning
   * @param during beginnings of the later one that count
   */
  public static List<Long> overlaps(List<LockRecord> locks, LongPredicate during) {
    List<Long> found = new ArrayList<>();
    for (int i = 0; i < locks.size(); i++) {
      LockRecord earlier = locks.get(i);
      for (int j = i + 1;
          j < locks.size() && locks.get(j).heldNanos() < earlier.endedNanos();
          j++) {
        long nanos = earlier.overlapNanos(locks.get(j));
        if (nanos > 0 && during.test(locks.get(j).heldNanos())) {
          found.add(nanos);
        }
      }
    }
    return found;
  }

  /** Returns how much later than its TTL each session ended, ascending, in milliseconds. */
  public static List<Double> overshootMs(List<SessionRecord> sessions) {
    return sessions.stream()
        .flatMapToLong(each -> each.overshootNanos().stream())
        .mapToObj(nanos -> nanos / NANOS_PER_MS)
        .sorted()
        .toList();
  }

  /**
   * What the clients next to the load of a run recorded.
   *
   * @param locks times of holding a lock, ascending by their beginning
   */
  record Records(List<SessionRecord> sessions, List<LockRecord> locks, List<WatchedWrite> writes) {
    Records {
      locks = locks.stream().sorted(Comparator.comparingLong(LockRecord::heldNanos)).toList();
    }

    static Records of(Journals journals) {
      return new Records(journals.sessions(), journals.locks(), journals.writes());
    }

    boolean isEmpty() {
      return sessions.isEmpty() && locks.isEmpty() && writes.isEmpty();
    }

    /** Returns what survived these faults. */
    Survival of(List<FaultRecord> faults) {
      LongPredicate during =
          nanos ->
              faults.stream()
                  .anyMatch(each -> each.startNanos() <= nanos && nanos < each.untilNanos());
      return survival(during, counts(faults));
    }

    /** Returns what happened in the whole run. */
    Survival ofRun() {
      return survival(any -> true, new long[] {sessions.size(), 0});
    }

    private long[] counts(List<FaultRecord> faults) {
      long present = 0;
      long ended = 0;
      for (FaultRecord fault : faults) {
        for (SessionRecord each : sessions) {
          boolean kept =
              each.openedNanos() <= fault.startNanos()
                  && later(each.abandonedNanos(), fault.untilNanos())
                  && later(each.endedNanos(), fault.startNanos());
          present += kept ? 1 : 0;
          ended += kept && !later(each.endedNanos(), fault.untilNanos()) ? 1 : 0;
        }
      }
      return new long[] {present, present - ended};
    }

    private static boolean later(OptionalLong nanos, long than) {
      return nanos.isEmpty() || nanos.getAsLong() >= than;
    }

    private Survival survival(LongPredicate during, long[] counts) {
      List<SessionRecord> abandoned =
          sessions.stream()
              .filter(each -> each.abandonedNanos().stream().anyMatch(during))
              .toList();
      List<Long> overlaps = overlaps(locks, during);
      List<WatchedWrite> written =
          writes.stream().filter(each -> during.test(each.sentNanos())).toList();
      return new Survival(
          longest(sessions.stream().map(SessionRecord::ttlNanos).toList()),
          counts[0],
          counts[1],
          sessions.stream()
              .filter(SessionRecord::endedEarly)
              .filter(each -> during.test(each.endedNanos().getAsLong()))
              .count(),
          overshootMs(abandoned),
          abandoned.stream().filter(each -> each.endedNanos().isEmpty()).count(),
          overlaps.size(),
          longest(overlaps),
          written.stream().filter(each -> each.acknowledgedNanos().isPresent()).count(),
          written.stream().mapToLong(WatchedWrite::lost).sum(),
          written.stream().mapToLong(WatchedWrite::repeated).sum(),
          written.stream().mapToLong(WatchedWrite::reordered).sum(),
          longest(
              written.stream()
                  .filter(each -> each.acknowledgedNanos().isPresent())
                  .flatMapToLong(
                      each ->
                          each.lastNanos().stream()
                              .map(
                                  last -> Math.max(0, last - each.acknowledgedNanos().getAsLong())))
                  .boxed()
                  .toList()));
    }

    private static OptionalDouble longest(List<Long> nanos) {
      return nanos.stream().mapToDouble(each -> each / NANOS_PER_MS).max();
    }
  }
}
