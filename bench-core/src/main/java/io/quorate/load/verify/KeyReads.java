package io.quorate.load.verify;

import io.quorate.load.workload.ExpectedKeys;
import io.quorate.load.workload.NumberedRequests;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.ErrorKind;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Request;
import java.util.BitSet;

/**
 * Reads keys, and compares each value with those that the key may have. Number n is the n-th of the
 * keys that were not read when these were made.
 */
final class KeyReads implements NumberedRequests {
  private final ExpectedKeys expected;
  private final KeyFaults faults;
  private final BitSet done;
  private final int[] places;

  /**
   * @param done which keys were read; guarded by itself
   */
  KeyReads(ExpectedKeys expected, KeyFaults faults, BitSet done) {
    this.expected = expected;
    this.faults = faults;
    this.done = done;
    BitSet left = new BitSet();
    left.set(0, expected.count());
    synchronized (done) {
      left.andNot(done);
    }
    this.places = left.stream().toArray();
  }

  int count() {
    return places.length;
  }

  @Override
  public void send(Connection connection, long index, Completion completion) {
    int place = places[(int) index];
    byte[] key = expected.key(place);
    connection.submit(
        Request.get(key, ReadConsistency.LINEARIZABLE), new Comparison(place, key, completion));
  }

  /** Compares the value that was read. */
  private final class Comparison implements Completion {
    private final int place;
    private final byte[] key;
    private final Completion completion;

    Comparison(int place, byte[] key, Completion completion) {
      this.place = place;
      this.key = key;
      this.completion = completion;
    }

    @Override
    public void answered(Answer answer) {
      faults.add(key, expected.fault(place, answer));
      synchronized (done) {
        done.set(place);
      }
      completion.answered(Answer.WRITTEN);
    }

    @Override
    public void failed(ErrorKind kind, String message) {
      completion.failed(kind, message);
    }
  }
}
