package io.quorate.history;

import java.util.Optional;
import java.util.stream.Stream;

/**
 * The requests that wrote and read one value of one key, and the times at which they prove that the
 * key had it: the zone of Gibbons and Korach.
 */
final class ValueZone {
  /** No put for the value that a key has before its first request. */
  private final Optional<RecordedRequest> put;

  /** The request that completed first, and the one that was invoked last. */
  private RecordedRequest first;

  private RecordedRequest last;

  /** Earliest completion: the value was certainly written by then. */
  private long provenNanos = Long.MAX_VALUE;

  /** Latest invocation: the value was certainly not replaced before. */
  private long lastNanos = Long.MIN_VALUE;

  private long firstReadNanos = Long.MAX_VALUE;
  private boolean isLost;

  /** Position among all proven values of the key, by the time of their proof; -1 if unproven. */
  int rank = -1;

  private ValueZone(Optional<RecordedRequest> put) {
    this.put = put;
  }

  static ValueZone initial() {
    ValueZone zone = new ValueZone(Optional.empty());
    zone.provenNanos = Long.MIN_VALUE;
    return zone;
  }

  static ValueZone writtenBy(RecordedRequest put) {
    ValueZone zone = new ValueZone(Optional.of(put));
    zone.lastNanos = put.invokedNanos();
    zone.last = put;
    if (put.isOk()) {
      zone.provenNanos = put.completedNanos();
      zone.first = put;
    }
    return zone;
  }

  void addRead(RecordedRequest get) {
    firstReadNanos = Math.min(firstReadNanos, get.completedNanos());
    if (get.completedNanos() < provenNanos) {
      provenNanos = get.completedNanos();
      first = get;
    }
    if (get.invokedNanos() > lastNanos) {
      lastNanos = get.invokedNanos();
      last = get;
    }
  }

  /** Returns whether a read that ended at this time could not have returned the value. */
  boolean isUnwrittenAt(long nanos) {
    return put.filter(
            each -> each.outcome() == RecordedRequest.Outcome.FAILED || each.invokedNanos() > nanos)
        .isPresent();
  }

  long provenNanos() {
    return provenNanos;
  }

  /** Returns whether the value was certainly written, and so has its place in every order. */
  boolean isProven() {
    return provenNanos < Long.MAX_VALUE;
  }

  /**
   * Returns whether this value replaced another one in every order of the requests, if its rank is
   * higher: a request for it began after one for the other had ended.
   */
  boolean mustFollow(ValueZone other) {
    return lastNanos > other.provenNanos;
  }

  boolean isRead() {
    return firstReadNanos < Long.MAX_VALUE;
  }

  boolean isReadBefore(long nanos) {
    return firstReadNanos < nanos;
  }

  /** Marks the value as lost, and returns whether it was not marked before. */
  boolean markLost() {
    boolean isNew = !isLost;
    isLost = true;
    return isNew;
  }

  Stream<RecordedRequest> put() {
    return put.stream();
  }

  /**
   * Returns the requests that prove that this value replaced an older one before a time: one that
   * does both, or the one that ended first with the one that began last.
   */
  Stream<RecordedRequest> proof(ValueZone older, long beforeNanos) {
    return Stream.concat(put(), Stream.of(first, last))
        .filter(each -> each.isOk() && each.completedNanos() < beforeNanos)
        .filter(each -> each.invokedNanos() > older.provenNanos)
        .findFirst()
        .map(Stream::of)
        .orElseGet(() -> Stream.of(first, last));
  }

  /** Returns the request that proves that this value was written before a time; none initially. */
  Stream<RecordedRequest> proofBefore(long nanos) {
    return Stream.concat(put(), Stream.ofNullable(first))
        .filter(each -> each.isOk() && each.completedNanos() < nanos)
        .limit(1);
  }

  long putNanos() {
    return put.map(RecordedRequest::invokedNanos).orElse(Long.MIN_VALUE);
  }
}
