// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.ErrorKind;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Request;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.LongStream;

/**
 * The keys of a mix that also deletes. A request for a missing key succeeds if a removal explains
 * that: one that was in flight meanwhile, or that no acknowledged write has followed. A key that is
 * missing for no such reason is an error. Safe for several threads, without locks.
 */
final class RemovableKeys implements UncertainKeys {
  /** Bit of a key that may be missing. */
  private static final long MISSING = 1;

  /** A removal whose outcome is not known; at most 2 to the power of 23 of them. */
  private static final long IN_FLIGHT = 2;

  /** A removal, whatever its outcome. */
  private static final long REMOVAL = 1L << 24;

  private final AtomicLongArray states;

  /** Creates the keys 0 to {@code count - 1}, which all exist. */
  RemovableKeys(int count) {
    this.states = new AtomicLongArray(count);
  }

  @Override
  public void send(Connection connection, long number, Request request, Completion completion) {
    if (request instanceof Request.Put put) {
      write(connection, number, put, completion);
    } else if (request instanceof Request.Get get) {
      read(connection, number, get, completion);
    } else {
      remove(connection, number, (Request.Delete) request, completion);
    }
  }

  /** Removes a key; nothing to remove is a success as well. */
  void remove(Connection connection, long number, Request.Delete request, Completion completion) {
    int place = (int) number;
    long before = states.getAndUpdate(place, state -> (state + REMOVAL + IN_FLIGHT) | MISSING);
    connection.submit(
        request,
        completion.withAnswer(
            answer -> {
              boolean alone = removals(states.get(place)) == removals(before) + 1;
              states.addAndGet(place, -IN_FLIGHT);
              boolean lost = answer instanceof Answer.Missing && alone && !isMissing(before);
              completion.answered(lost ? answer : Answer.WRITTEN);
            }));
  }

  /** Writes a key whether it exists or not, by the request that probably succeeds. */
  void write(Connection connection, long number, Request.Put request, Completion completion) {
    new Write(connection, (int) number, request, states.get((int) number), completion).start();
  }

  /** Reads a key; a removed key is a success without a value. */
  void read(Connection connection, long number, Request.Get request, Completion completion) {
    int place = (int) number;
    long before = states.get(place);
    boolean latest = request.consistency() == ReadConsistency.LINEARIZABLE;
    connection.submit(
        request,
        completion.withAnswer(
            answer -> {
              boolean removed =
                  answer instanceof Answer.Missing
                      && (latest ? explains(before, place) : wasRemoved(place));
              completion.answered(removed ? Answer.WRITTEN : answer);
            }));
  }

  /**
   * Sends a transaction, which may find some of its keys removed. Only for stores whose
   * transactions write and remove a key whether it exists or not.
   *
   * @param written numbers of the keys that it writes
   * @param removed numbers of the keys that it removes
   */
  void transact(
      Connection connection,
      long[] written,
      long[] removed,
      Request.Txn request,
      Completion completion) {
    long[] before = LongStream.of(written).map(number -> states.get((int) number)).toArray();
    for (long number : removed) {
      states.getAndUpdate((int) number, state -> (state + REMOVAL + IN_FLIGHT) | MISSING);
    }
    connection.submit(
        request,
        completion.withAnswer(
            answer -> {
              for (long number : removed) {
                states.addAndGet((int) number, -IN_FLIGHT);
              }
              for (int i = 0; i < written.length; i++) {
                acknowledged((int) written[i], before[i], answer);
              }
              completion.answered(answer);
            }));
  }

  /** Notes that a key exists if its write was acknowledged and no removal was in flight. */
  private void acknowledged(int place, long before, Answer answer) {
    boolean isWritten = answer instanceof Answer.Written || answer instanceof Answer.Results;
    if (isWritten && (before & (REMOVAL - 1) & -IN_FLIGHT) == 0) {
      states.compareAndSet(place, before, before & -IN_FLIGHT);
    }
  }

  /** Returns whether a removal of a key was sent, whatever came of it. */
  boolean wasRemoved(long number) {
    return removals(states.get((int) number)) > 0;
  }

  @Override
  public boolean mayBeMissing(long number) {
    return isMissing(states.get((int) number));
  }

  @Override
  public long count() {
    long count = 0;
    for (int place = 0; place < states.length(); place++) {
      count += states.get(place) & MISSING;
    }
    return count;
  }

  /** Returns whether a key may have been missing since it had a state. */
  private boolean explains(long before, int place) {
    return isMissing(before) || removals(states.get(place)) > removals(before);
  }

  private static boolean isMissing(long state) {
    return (state & MISSING) != 0;
  }

  private static long removals(long state) {
    return state / REMOVAL;
  }

  /** A write that updates or creates, and the other of both if the first one finds it wrong. */
  private final class Write implements Completion {
    private final Connection connection;
    private final int place;
    private final Request.Put request;
    private final long before;
    private final Completion completion;
    private boolean creates;

    Write(
        Connection connection, int place, Request.Put request, long before, Completion completion) {
      this.connection = connection;
      this.place = place;
      this.request = request;
      this.before = before;
      this.completion = completion;
      this.creates = isMissing(before);
    }

    void start() {
      connection.submit(new Request.Put(request.key(), request.value(), creates), this);
    }

    @Override
    public void sent(long sentNanos, long heldNanos) {
      completion.sent(sentNanos, heldNanos);
    }

    @Override
    public void answered(Answer answer) {
      if (answer instanceof Answer.Missing && !creates && explains(before, place)) {
        creates = true;
        start();
        return;
      }
      acknowledged(place, before, answer);
      completion.answered(answer);
    }

    @Override
    public void failed(ErrorKind kind, String message) {
      if (kind == ErrorKind.REJECTED && creates) {
        creates = false;
        start();
      } else {
        completion.failed(kind, message);
      }
    }
  }
}
