// SPDX-License-Identifier: Apache-2.0
package io.quorate.history;

import io.quorate.history.Contradiction.Kind;
import io.quorate.history.RecordedRequest.Action;
import io.quorate.history.RecordedRequest.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The puts, gets and deletes of one key, each put with another value. Values that were certainly
 * written are ranked by the time at which that was first proven.
 *
 * <p>Value B contradicts a read of value A if A ranks before B, a request for B began after one for
 * A had ended (so B replaced A), and a request for B ended before the read began. If no read is
 * contradicted or a phantom, no two forward zones overlap and no forward zone contains a backward
 * one, which is the condition of Gibbons and Korach. Only values whose requests were all in flight
 * when A was proven are skipped while looking for B, so each read takes logarithmic time.
 *
 * <p>Deletes write a value that others write, too, so this condition does not decide their keys:
 * {@link Removals} finds what they contradict for certain, and if nothing is contradicted, an order
 * of the requests is searched.
 */
final class KeyHistory {
  private final Map<Long, Zone> zones = new HashMap<>();
  private final List<RecordedRequest> reads = new ArrayList<>();
  private final List<Zone> ranked;
  private final Removals removals;
  private boolean isDecidable = true;

  /** A value with its put and its linearizable reads. The first value of a key has no put. */
  private static final class Zone {
    private final Optional<RecordedRequest> put;

    /**
     * The request that ended first, and when: the value was certainly written by then. Null if no
     * request proves that.
     */
    private @Nullable RecordedRequest first;

    private long provenNanos = Long.MAX_VALUE;

    /**
     * The request that began last, and when: the value was certainly not replaced before. Null if
     * there is none.
     */
    private @Nullable RecordedRequest last;

    private long lastNanos = Long.MIN_VALUE;
    private long firstReadNanos = Long.MAX_VALUE;
    private boolean isLost;
    private int rank;

    private Zone(Optional<RecordedRequest> put) {
      this.put = put;
      put.ifPresentOrElse(this::add, () -> provenNanos = Long.MIN_VALUE);
    }

    private void add(RecordedRequest request) {
      if (request.isOk() && request.completedNanos() < provenNanos) {
        provenNanos = request.completedNanos();
        first = request;
      }
      if (request.invokedNanos() > lastNanos) {
        lastNanos = request.invokedNanos();
        last = request;
      }
      if (request.isLinearizableRead()) {
        firstReadNanos = Math.min(firstReadNanos, request.completedNanos());
      }
    }

    private boolean isProven() {
      return provenNanos < Long.MAX_VALUE;
    }

    private boolean isRead() {
      return firstReadNanos < Long.MAX_VALUE;
    }

    /** Returns whether a read that ended at this time could not have returned the value. */
    private boolean isUnwritten(long nanos) {
      return put.filter(each -> each.outcome() == Outcome.FAILED || each.invokedNanos() > nanos)
          .isPresent();
    }

    /** Returns whether this value replaced one of lower rank in every order of the requests. */
    private boolean mustFollow(Zone lower) {
      return rank > lower.rank && lastNanos > lower.provenNanos;
    }

    /**
     * Returns the requests that prove that this value replaced an older one before a time: one that
     * does both, or the one that ended first with the one that began last.
     */
    private List<RecordedRequest> proof(Zone older, long beforeNanos) {
      List<RecordedRequest> ends =
          List.of(Objects.requireNonNull(first), Objects.requireNonNull(last));
      return Stream.concat(put.stream(), ends.stream())
          .filter(each -> each.isOk() && each.completedNanos() < beforeNanos)
          .filter(each -> each.invokedNanos() > older.provenNanos)
          .findFirst()
          .map(List::of)
          .orElse(ends);
    }

    /** Returns the request that proves that this value was written before a time, if one must. */
    private Stream<RecordedRequest> proofBefore(long nanos) {
      return Stream.concat(put.stream(), Stream.ofNullable(first))
          .filter(each -> each.isOk() && each.completedNanos() < nanos)
          .limit(1);
    }
  }

  private KeyHistory(List<RecordedRequest> requests) {
    zones.put(RecordedRequest.ABSENT, new Zone(Optional.empty()));
    for (RecordedRequest each : requests) {
      if (each.action() == Action.PUT) {
        isDecidable &= zones.put(each.written(), new Zone(Optional.of(each))) == null;
      } else if (each.isRead() && each.isOk()) {
        reads.add(each);
      }
      isDecidable &= each.action() != Action.COMPARE_AND_SET;
    }
    List<RecordedRequest> possible =
        reads.stream().filter(each -> each.isLinearizableRead() && !isPhantom(each)).toList();
    removals = new Removals(requests, possible);
    possible.stream().filter(this::isOfZone).forEach(each -> zone(each).add(each));
    ranked =
        zones.values().stream()
            .filter(Zone::isProven)
            .sorted(Comparator.comparingLong(each -> each.provenNanos))
            .toList();
    for (int rank = 0; rank < ranked.size(); rank++) {
      ranked.get(rank).rank = rank;
    }
  }

  /**
   * Tallies the contradictions and stale reads of a key.
   *
   * @return whether the key is checked: it has no compare-and-set, and no value was put twice
   */
  static boolean check(List<RecordedRequest> requests, UniqueValues.Tally found) {
    KeyHistory key = new KeyHistory(requests);
    if (!key.isDecidable) {
      return false;
    }
    long before = found.count();
    key.reads.sort(Comparator.comparing(read -> read.read() == RecordedRequest.ABSENT));
    for (RecordedRequest read : key.reads) {
      if (key.isPhantom(read)) {
        found.add(key.phantom(read));
      } else if (read.isLinearizableRead()) {
        key.contradiction(read).ifPresent(found::add);
      } else if (key.isOfZone(read)) {
        key.tallyStale(read, found);
      }
    }
    key.checkSessions(found);
    if (!key.removals.isEmpty() && found.count() == before) {
      found.add(Linearizability.search(requests, states -> states > UniqueValues.MOST_STATES));
    }
    return true;
  }

  /** Returns whether a read belongs to the put of one value: a delete may explain all others. */
  private boolean isOfZone(RecordedRequest read) {
    return read.read() != RecordedRequest.ABSENT || removals.isEmpty();
  }

  private Zone zone(RecordedRequest read) {
    return Objects.requireNonNull(zones.get(read.read()));
  }

  private boolean isPhantom(RecordedRequest read) {
    Zone zone = zones.get(read.read());
    return zone == null || zone.isUnwritten(read.completedNanos());
  }

  private Contradiction phantom(RecordedRequest read) {
    Stream<RecordedRequest> put =
        Stream.ofNullable(zones.get(read.read())).flatMap(zone -> zone.put.stream());
    return new Contradiction(
        Kind.PHANTOM_READ,
        "a value was read that nothing had written",
        Stream.concat(put, Stream.of(read)).toList());
  }

  private Optional<Contradiction> contradiction(RecordedRequest read) {
    if (!isOfZone(read)) {
      return removals.missing(read, value -> Objects.requireNonNull(zones.get(value)).put.stream());
    }
    Optional<Zone> newer = newestBefore(read);
    if (newer.isPresent()) {
      removals.reported(read);
      return newer
          .filter(zone -> zone.isRead() || !zone.isLost)
          .map(zone -> contradiction(read, zone));
    }
    Zone zone = zone(read);
    return removals.stillThere(
        read, zone.proofBefore(read.invokedNanos()).toList(), zone.provenNanos);
  }

  /** Returns the last value that was proven before the read, and contradicts it. */
  private Optional<Zone> newestBefore(RecordedRequest read) {
    Zone zone = zone(read);
    for (int i = proven(read.invokedNanos()) - 1; i > zone.rank; i--) {
      if (ranked.get(i).mustFollow(zone)) {
        return Optional.of(ranked.get(i));
      }
    }
    return Optional.empty();
  }

  /** Returns how many values were proven before a time. */
  private int proven(long nanos) {
    int low = 0;
    int high = ranked.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ranked.get(middle).provenNanos < nanos) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private Contradiction contradiction(RecordedRequest read, Zone newer) {
    List<RecordedRequest> proof = newer.proof(zone(read), read.invokedNanos());
    long lastNanos = proof.get(proof.size() - 1).invokedNanos();
    List<RecordedRequest> requests = new ArrayList<>(proof);
    zone(read).proofBefore(lastNanos).forEach(requests::add);
    requests.add(read);
    Kind kind = newer.isRead() ? Kind.STALE_READ : Kind.LOST_WRITE;
    newer.isLost = !newer.isRead();
    return newer.firstReadNanos < read.invokedNanos()
        ? new Contradiction(Kind.REAPPEARED_VALUE, "an older value was read again", requests)
        : new Contradiction(kind, "a newer value was acknowledged, but not read", requests);
  }

  private void tallyStale(RecordedRequest read, UniqueValues.Tally found) {
    Zone zone = zone(read);
    int end = zone.isProven() ? proven(read.invokedNanos()) : 0;
    int replaced = zone.rank + 1;
    while (replaced < end && !ranked.get(replaced).mustFollow(zone)) {
      replaced++;
    }
    boolean isBehind = replaced < end;
    long nanos = isBehind ? read.invokedNanos() - ranked.get(replaced).provenNanos : 0;
    found.addStale(read, nanos, isBehind ? end - zone.rank - 1 : 0);
  }

  /** Compares each stale read with the newest value that the same client read before. */
  private void checkSessions(UniqueValues.Tally found) {
    if (reads.stream().allMatch(RecordedRequest::isLinearizableRead)) {
      return;
    }
    Map<Integer, RecordedRequest> newest = new HashMap<>();
    reads.stream()
        .filter(each -> !isPhantom(each) && isOfZone(each) && zone(each).isProven())
        .sorted(Comparator.comparingLong(RecordedRequest::invokedNanos))
        .forEach(
            read -> {
              RecordedRequest seen = newest.getOrDefault(read.client(), read);
              if (isOlder(read, seen)) {
                found.add(nonMonotonic(read, seen));
              } else if (zone(read).rank >= zone(seen).rank) {
                newest.put(read.client(), read);
              }
            });
  }

  private boolean isOlder(RecordedRequest read, RecordedRequest seen) {
    return read.action() == Action.STALE_GET
        && seen.completedNanos() <= read.invokedNanos()
        && zone(seen).mustFollow(zone(read));
  }

  private Contradiction nonMonotonic(RecordedRequest read, RecordedRequest seen) {
    Stream<RecordedRequest> puts =
        Stream.of(zone(read), zone(seen)).flatMap(each -> each.put.stream());
    return new Contradiction(
        Kind.NON_MONOTONIC_READ,
        "a client read an older value than before",
        Stream.concat(puts, Stream.of(seen, read)).toList());
  }
}
