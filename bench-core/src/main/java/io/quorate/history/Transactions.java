// SPDX-License-Identifier: Apache-2.0
package io.quorate.history;

import io.quorate.history.Contradiction.Kind;
import io.quorate.history.RecordedRequest.Action;
import io.quorate.history.RecordedRequest.Outcome;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The transactions of a history. All parts of one take effect at the same moment: not before what
 * it has read was written, and not after any of its values was read. The check of each key uses
 * these narrower times, so that a value which is seen proves all other parts. Pairs of transactions
 * are compared as well: one that reads a part of another one must not miss its other parts.
 *
 * <p>These conditions are necessary. They do not show that an order of all transactions exists.
 */
final class Transactions {
  /** Each pass carries times one step further; fewer than needed only keep times wider. */
  private static final int MOST_PASSES = 20;

  private final Collection<RecordedRequest> history;
  private final Map<Long, Transaction> all = new TreeMap<>();
  private final Map<Version, RecordedRequest> puts = new HashMap<>();
  private final Map<Long, List<RecordedRequest>> deletes = new HashMap<>();

  private record Version(long key, long value) {}

  /** The parts of one, and the time in which it took effect. */
  private static final class Transaction {
    private final List<RecordedRequest> parts = new ArrayList<>();
    private long beginNanos;
    private long endNanos;
    private boolean isApplied;

    private void add(RecordedRequest part) {
      parts.add(part);
      beginNanos = part.invokedNanos();
      endNanos = part.isOk() ? part.completedNanos() : Long.MAX_VALUE;
      isApplied = part.isOk();
    }

    private boolean isPossible() {
      return beginNanos <= endNanos;
    }

    private Optional<RecordedRequest> changeOf(long key) {
      return parts.stream().filter(each -> !each.isRead() && each.key() == key).findFirst();
    }
  }

  Transactions(Collection<RecordedRequest> history) {
    this.history = history;
    for (RecordedRequest each : history) {
      if (each.txn() != 0) {
        all.computeIfAbsent(each.txn(), number -> new Transaction()).add(each);
      }
      if (each.action() == Action.PUT && each.mayWrite()) {
        puts.put(new Version(each.key(), each.written()), each);
      } else if (each.action() == Action.DELETE && each.mayWrite()) {
        deletes.computeIfAbsent(each.key(), key -> new ArrayList<>()).add(each);
      }
    }
    boolean narrowed = !all.isEmpty();
    for (int pass = 0; narrowed && pass < MOST_PASSES; pass++) {
      narrowed = false;
      for (RecordedRequest each : history) {
        narrowed |= each.isLinearizableRead() && narrow(each);
      }
    }
  }

  int count() {
    return all.size();
  }

  /** Orders a read and the put of its value. */
  private boolean narrow(RecordedRequest read) {
    RecordedRequest put = puts.get(new Version(read.key(), read.read()));
    if (put == null) {
      return false;
    }
    Transaction writer = all.get(put.txn());
    Transaction reader = all.get(read.txn());
    boolean narrowed = false;
    if (writer != null && endNanos(read) < writer.endNanos) {
      writer.endNanos = endNanos(read);
      writer.isApplied = true;
      narrowed = true;
    }
    if (reader != null && beginNanos(put) > reader.beginNanos) {
      reader.beginNanos = beginNanos(put);
      narrowed = true;
    }
    return narrowed;
  }

  private long beginNanos(RecordedRequest request) {
    Transaction whole = all.get(request.txn());
    return whole == null ? request.invokedNanos() : whole.beginNanos;
  }

  private long endNanos(RecordedRequest request) {
    Transaction whole = all.get(request.txn());
    long alone = request.isOk() ? request.completedNanos() : Long.MAX_VALUE;
    return whole == null ? alone : whole.endNanos;
  }

  /** Returns all requests; those of transactions with the times in which they took effect. */
  List<RecordedRequest> narrowed() {
    return history.stream().map(this::narrowed).toList();
  }

  private RecordedRequest narrowed(RecordedRequest part) {
    Transaction whole = all.get(part.txn());
    if (whole == null || !part.isOk() && !part.isOpen() || !whole.isPossible()) {
      return part;
    }
    return part.with(
        part.action(),
        part.expected(),
        whole.beginNanos,
        whole.endNanos == Long.MAX_VALUE ? RecordedRequest.NEVER : whole.endNanos,
        whole.isApplied ? Outcome.OK : part.outcome());
  }

  /** Tallies the transactions that cannot have taken effect at one moment. */
  void check(UniqueValues.Tally found) {
    all.values().stream()
        .filter(each -> !each.isPossible())
        .findFirst()
        .map(
            each ->
                new Contradiction(
                    Kind.NOT_LINEARIZABLE,
                    "the reads of a transaction, and of its values, leave no time for it",
                    each.parts))
        .ifPresent(found::add);
    for (Transaction reader : all.values()) {
      for (RecordedRequest seen : reader.parts) {
        RecordedRequest put = puts.get(new Version(seen.key(), seen.read()));
        if (put == null) {
          continue;
        }
        Transaction writer = all.get(put.txn());
        if (writer != null && seen.isLinearizableRead() && reader.isPossible()) {
          checkWhole(reader, seen, writer, put, found);
        }
      }
    }
  }

  /** Looks for a part of a transaction that a reader of another part has missed. */
  private void checkWhole(
      Transaction reader,
      RecordedRequest seen,
      Transaction writer,
      RecordedRequest put,
      UniqueValues.Tally found) {
    for (RecordedRequest read : reader.parts) {
      Optional<RecordedRequest> change = writer.changeOf(read.key());
      if (read.isRead()
          && change.isPresent()
          && change.get().written() != read.read()
          && isOlder(read, reader, writer)) {
        found.add(
            new Contradiction(
                Kind.FRACTURED_READ,
                "a transaction read one part of another one, and not the other",
                List.of(put, change.get(), seen, read)));
      }
    }
  }

  /** Returns whether a result was certainly that before a writer, which precedes the reader. */
  private boolean isOlder(RecordedRequest read, Transaction reader, Transaction writer) {
    if (read.read() == RecordedRequest.ABSENT) {
      return deletes.getOrDefault(read.key(), List.of()).stream()
          .noneMatch(
              each -> beginNanos(each) <= reader.endNanos && endNanos(each) >= writer.beginNanos);
    }
    RecordedRequest put = puts.get(new Version(read.key(), read.read()));
    return put != null && endNanos(put) < writer.beginNanos;
  }
}
