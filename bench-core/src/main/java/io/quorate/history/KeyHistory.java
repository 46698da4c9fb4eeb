package io.quorate.history;

import io.quorate.history.Contradiction.Kind;
import io.quorate.history.RecordedRequest.Action;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The puts and gets of one key, each put with another value. The values that were certainly written
 * are ordered by the time at which that was first proven: their rank.
 *
 * <p>Value B contradicts a read of value A if A ranks before B, a request for B began after one for
 * A had ended (so B replaced A), and a request for B ended before the read began. If no read is
 * contradicted and no value is a phantom, no two forward zones overlap and no forward zone contains
 * a backward one, which is the condition of Gibbons and Korach. {@code UniqueValuesTest} compares
 * both decisions with a search.
 */
final class KeyHistory {
  private final Map<Long, ValueZone> zones = new HashMap<>();
  private final List<RecordedRequest> reads = new ArrayList<>();
  private final List<ValueZone> ranked;
  private final StaleReads.Tally stale;

  /** A read of a value before its successor, in the session of one client. */
  private record Seen(ValueZone zone, RecordedRequest read) {}

  private KeyHistory(List<RecordedRequest> requests, StaleReads.Tally stale) {
    this.stale = stale;
    zones.put(RecordedRequest.ABSENT, ValueZone.initial());
    for (RecordedRequest each : requests) {
      if (each.action() == Action.PUT) {
        zones.put(each.written(), ValueZone.writtenBy(each));
      } else if (each.isOk()) {
        reads.add(each);
      }
    }
    reads.stream()
        .filter(each -> each.isLinearizableRead() && !isPhantom(each))
        .forEach(each -> zone(each).addRead(each));
    ranked =
        zones.values().stream()
            .filter(ValueZone::isProven)
            .sorted(
                Comparator.comparingLong(ValueZone::provenNanos)
                    .thenComparingLong(ValueZone::putNanos))
            .toList();
    for (int rank = 0; rank < ranked.size(); rank++) {
      ranked.get(rank).rank = rank;
    }
  }

  /** Returns whether zones decide the key: puts and gets only, and no value put twice. */
  static boolean isDecidable(List<RecordedRequest> requests) {
    boolean isOther =
        requests.stream()
            .map(RecordedRequest::action)
            .anyMatch(each -> each == Action.COMPARE_AND_SET || each == Action.DELETE);
    List<Long> written =
        requests.stream()
            .filter(each -> each.action() == Action.PUT)
            .map(RecordedRequest::written)
            .toList();
    return !isOther && written.stream().distinct().count() == written.size();
  }

  /** Reports the contradictions of a key that zones decide, and tallies its stale reads. */
  static void check(
      List<RecordedRequest> requests, StaleReads.Tally stale, UniqueValues.Tally found) {
    KeyHistory key = new KeyHistory(requests, stale);
    for (RecordedRequest read : key.reads) {
      if (key.isPhantom(read)) {
        found.add(key.phantom(read));
      } else if (read.isLinearizableRead()) {
        key.newestBefore(read)
            .filter(newer -> newer.isRead() || newer.markLost())
            .map(newer -> key.contradiction(read, newer))
            .ifPresent(found::add);
      } else {
        key.tallyStale(read);
      }
    }
    key.checkSessions(found);
  }

  private ValueZone zone(RecordedRequest read) {
    return zones.get(read.read());
  }

  private boolean isPhantom(RecordedRequest read) {
    ValueZone zone = zone(read);
    return zone == null || zone.isUnwrittenAt(read.completedNanos());
  }

  private Contradiction phantom(RecordedRequest read) {
    ValueZone zone = zone(read);
    String value = RecordedRequest.value(read.read());
    if (zone == null) {
      return new Contradiction(Kind.PHANTOM_READ, value + " was never written", List.of(read));
    }
    boolean isLater = zone.putNanos() > read.completedNanos();
    return new Contradiction(
        Kind.PHANTOM_READ,
        value + (isLater ? " was read before its put began" : " was read, but its put failed"),
        Stream.concat(zone.put(), Stream.of(read)).toList());
  }

  /** Returns the last value that was proven before the read, and contradicts it. */
  private Optional<ValueZone> newestBefore(RecordedRequest read) {
    ValueZone zone = zone(read);
    for (int i = rankAt(read.invokedNanos()) - 1; i > zone.rank; i--) {
      if (ranked.get(i).mustFollow(zone)) {
        return Optional.of(ranked.get(i));
      }
    }
    return Optional.empty();
  }

  /** Returns how many values were proven before a time. */
  private int rankAt(long nanos) {
    int low = 0;
    int high = ranked.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ranked.get(middle).provenNanos() < nanos) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private Contradiction contradiction(RecordedRequest read, ValueZone newer) {
    ValueZone older = zone(read);
    List<RecordedRequest> proof = newer.proof(older, read.invokedNanos()).toList();
    long lastNanos = proof.get(proof.size() - 1).invokedNanos();
    Stream<RecordedRequest> before = older.proofBefore(lastNanos);
    List<RecordedRequest> requests =
        Stream.of(before, proof.stream(), Stream.of(read)).flatMap(each -> each).toList();
    if (newer.isReadBefore(read.invokedNanos())) {
      return new Contradiction(
          Kind.REAPPEARED_VALUE, "an older value was read after a newer one", requests);
    }
    return newer.isRead()
        ? new Contradiction(
            Kind.STALE_READ, "a linearizable read returned an older value", requests)
        : new Contradiction(Kind.LOST_WRITE, "an acknowledged write was lost", requests);
  }

  private void tallyStale(RecordedRequest read) {
    ValueZone zone = zone(read);
    int before = rankAt(read.invokedNanos());
    for (int i = zone.rank + 1; zone.isProven() && i < before; i++) {
      ValueZone newer = ranked.get(i);
      if (newer.mustFollow(zone)) {
        long nanos = read.invokedNanos() - newer.provenNanos();
        stale.addStale(read, nanos, before - zone.rank - 1);
        return;
      }
    }
    stale.addFresh();
  }

  /** Compares each stale read with the newest value that the same client read before. */
  private void checkSessions(UniqueValues.Tally found) {
    if (reads.stream().allMatch(RecordedRequest::isLinearizableRead)) {
      return;
    }
    reads.sort(Comparator.comparingLong(RecordedRequest::invokedNanos));
    Map<Integer, Seen> newest = new HashMap<>();
    for (RecordedRequest read : reads) {
      Seen seen = newest.get(read.client());
      if (isPhantom(read) || !zone(read).isProven()) {
        continue;
      }
      if (seen != null && isOlder(read, seen)) {
        found.add(nonMonotonic(read, seen));
      }
      if (seen == null || seen.zone.rank < zone(read).rank) {
        newest.put(read.client(), new Seen(zone(read), read));
      }
    }
  }

  private boolean isOlder(RecordedRequest read, Seen seen) {
    ValueZone zone = zone(read);
    return read.action() == Action.STALE_GET
        && seen.read.completedNanos() <= read.invokedNanos()
        && zone.rank < seen.zone.rank
        && seen.zone.mustFollow(zone);
  }

  private Contradiction nonMonotonic(RecordedRequest read, Seen seen) {
    return new Contradiction(
        Kind.NON_MONOTONIC_READ,
        "a client read an older value than before",
        Stream.of(zone(read).put(), seen.zone.put(), Stream.of(seen.read, read))
            .flatMap(each -> each)
            .toList());
  }
}
