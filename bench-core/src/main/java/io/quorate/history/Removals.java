// SPDX-License-Identifier: Apache-2.0
package io.quorate.history;

import io.quorate.history.Contradiction.Kind;
import io.quorate.history.RecordedRequest.Action;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The deletes of one key, and what they contradict for certain: a value that is read although a
 * delete removed it, and a key that is missing although no delete can have removed its value. Each
 * read takes logarithmic time.
 */
final class Removals {
  private final List<RecordedRequest> requests;
  private final List<RecordedRequest> reads;

  /** Reads that were reported, so that they prove nothing. */
  private final Set<RecordedRequest> wrong = new HashSet<>();

  /** Of the acknowledged deletes that had ended by each time, the one that began last. */
  private final TreeMap<Long, RecordedRequest> deleted;

  /**
   * Of the requests that prove a value and had ended by each time, the one that began last; null
   * before it is needed.
   */
  private @Nullable TreeMap<Long, RecordedRequest> present;

  /** The latest time at which a delete that had begun by each time can have been applied. */
  private final TreeMap<Long, Long> removableUntil = new TreeMap<>();

  /** Deletes and values that were reported as lost. */
  private final Set<Object> lost = new HashSet<>();

  /**
   * Sorts the requests of a key.
   *
   * @param reads its linearizable reads, without phantoms
   */
  Removals(List<RecordedRequest> requests, List<RecordedRequest> reads) {
    this.requests = requests;
    this.reads = reads;
    List<RecordedRequest> deletes =
        requests.stream()
            .filter(each -> each.action() == Action.DELETE && each.mayWrite())
            .sorted(Comparator.comparingLong(RecordedRequest::invokedNanos))
            .toList();
    this.deleted = begunLast(deletes.stream().filter(RecordedRequest::isOk));
    long untilNanos = Long.MIN_VALUE;
    for (RecordedRequest each : deletes) {
      untilNanos = Math.max(untilNanos, each.isOpen() ? Long.MAX_VALUE : each.completedNanos());
      removableUntil.put(each.invokedNanos(), untilNanos);
    }
  }

  private static TreeMap<Long, RecordedRequest> begunLast(Stream<RecordedRequest> requests) {
    TreeMap<Long, RecordedRequest> last = new TreeMap<>();
    requests
        .sorted(Comparator.comparingLong(RecordedRequest::completedNanos))
        .filter(
            each ->
                last.isEmpty() || last.lastEntry().getValue().invokedNanos() < each.invokedNanos())
        .forEach(each -> last.put(each.completedNanos(), each));
    return last;
  }

  /** Notes that a read is reported; to be called for all of them before {@link #missing}. */
  void reported(RecordedRequest read) {
    wrong.add(read);
  }

  private TreeMap<Long, RecordedRequest> present() {
    if (present == null) {
      present =
          begunLast(
              Stream.concat(
                  requests.stream().filter(each -> each.action() == Action.PUT && each.isOk()),
                  reads.stream()
                      .filter(each -> each.read() != RecordedRequest.ABSENT)
                      .filter(each -> !wrong.contains(each))));
    }
    return present;
  }

  boolean isEmpty() {
    return removableUntil.isEmpty();
  }

  /**
   * Returns the contradiction of a value that was read after its delete; empty if there is none.
   *
   * @param proof requests that wrote and first proved the value
   * @param provenNanos when it was certainly written
   */
  Optional<Contradiction> stillThere(
      RecordedRequest read, List<RecordedRequest> proof, long provenNanos) {
    return before(deleted, read.invokedNanos())
        .filter(delete -> delete.invokedNanos() > provenNanos)
        .flatMap(
            delete -> {
              reported(read);
              List<Long> seen = ends(RecordedRequest.ABSENT, delete.invokedNanos());
              Kind kind =
                  seen.stream().anyMatch(nanos -> nanos < read.invokedNanos())
                      ? Kind.REAPPEARED_VALUE
                      : seen.isEmpty() ? Kind.LOST_WRITE : Kind.STALE_READ;
              return contradiction(
                  kind, delete, "a value was read that was deleted before", proof, delete, read);
            });
  }

  /** Returns the contradiction of a read that found nothing; empty if there is none. */
  Optional<Contradiction> missing(
      RecordedRequest read, LongFunction<Stream<RecordedRequest>> putOf) {
    Map.Entry<Long, Long> until = removableUntil.floorEntry(read.completedNanos());
    return before(present(), read.invokedNanos())
        .filter(proof -> until == null || until.getValue() < proof.invokedNanos())
        .flatMap(
            proof -> {
              long value = proof.isRead() ? proof.read() : proof.written();
              boolean comes = !ends(value, read.completedNanos()).isEmpty();
              return contradiction(
                  comes ? Kind.STALE_READ : Kind.LOST_WRITE,
                  value,
                  "a key is missing that nothing had deleted",
                  putOf.apply(value).toList(),
                  proof,
                  read);
            });
  }

  private static Optional<RecordedRequest> before(
      TreeMap<Long, RecordedRequest> requests, long nanos) {
    return Optional.ofNullable(requests.lowerEntry(nanos)).map(Map.Entry::getValue);
  }

  /** Returns when the reads of a value ended, as far as they ended after a time. */
  private List<Long> ends(long value, long afterNanos) {
    return reads.stream()
        .filter(each -> each.read() == value)
        .map(RecordedRequest::completedNanos)
        .filter(nanos -> nanos > afterNanos)
        .toList();
  }

  /** Returns a contradiction; empty if it is a loss that was reported before. */
  private Optional<Contradiction> contradiction(
      Kind kind,
      Object what,
      String reason,
      List<RecordedRequest> proof,
      RecordedRequest... others) {
    if (kind == Kind.LOST_WRITE && !lost.add(what)) {
      return Optional.empty();
    }
    List<RecordedRequest> requests = new ArrayList<>(proof);
    requests.addAll(List.of(others));
    return Optional.of(new Contradiction(kind, reason, requests));
  }
}
