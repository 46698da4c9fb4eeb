package io.quorate.load;

import io.quorate.scenario.OperationMix;
import io.quorate.scenario.Scenario;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.ErrorKind;
import io.quorate.store.Operation;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Request;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The requests of a mix of operations. Operation, key and value of each follow from its number and
 * the seed. Immutable.
 */
final class MixedRequests implements NumberedRequests {
  private final OperationMix mix;
  private final KeySequence keys;
  private final long keyCount;

  /** Whether puts and transactions write keys that are not there yet. */
  private final boolean creates;

  private final ReadConsistency consistency;
  private final NumberedValues values;
  private final long seed;
  private final Operation[] operations;
  private final long[] weightUpTo;
  private final int keysPerRequest;

  /** Part of the requests that write. */
  private final double writeShare;

  /**
   * @param scenario whose operations they do
   * @param keys which they take
   * @param values which they write
   */
  MixedRequests(Scenario scenario, KeySequence keys, NumberedValues values) {
    this.mix = scenario.mix();
    this.keys = keys;
    this.keyCount = scenario.keys().count();
    this.creates = !scenario.keys().prepared();
    this.consistency = scenario.consistency();
    this.values = values;
    this.seed = Scramble.of(scenario.seed() + 1);
    this.operations = mix.operations().toArray(Operation[]::new);
    this.weightUpTo = new long[operations.length];
    long weight = 0;
    for (int i = 0; i < operations.length; i++) {
      weight += mix.shares().get(i).weight();
      weightUpTo[i] = weight;
    }
    this.keysPerRequest = keysPerRequest(mix);
    this.writeShare =
        mix.shares().stream()
                .filter(share -> share.operation().isWrite())
                .mapToLong(OperationMix.Share::weight)
                .sum()
            / (double) weight;
  }

  /** Returns how many keys, and values, are set aside for each request of a mix. */
  static int keysPerRequest(OperationMix mix) {
    return mix.has(Operation.TXN) ? mix.putsPerTxn() : 1;
  }

  @Override
  public int operation(long index) {
    if (operations.length == 1) {
      return 0;
    }
    long drawn =
        Long.remainderUnsigned(
            Scramble.of(seed ^ Scramble.of(index)), weightUpTo[operations.length - 1]);
    int operation = 0;
    while (drawn >= weightUpTo[operation]) {
      operation++;
    }
    return operation;
  }

  @Override
  public void send(Connection connection, long index, Completion completion) {
    switch (operations[operation(index)]) {
      case PUT -> connection.submit(put(index, 0), completion);
      case GET -> connection.submit(Request.get(keys.at(keyRead(index)), consistency), completion);
      case DELETE -> connection.submit(Request.delete(keys.at(keyWritten(index, 0))), completion);
      case RANGE -> connection.submit(range(index), completion);
      case COMPARE_AND_SET -> compareAndSet(connection, index, completion);
      case TXN -> connection.submit(txn(index), completion);
    }
  }

  private Request.Put put(long index, int part) {
    return new Request.Put(
        keys.at(keyWritten(index, part)), values.source().at(valueWritten(index, part)), creates);
  }

  private Request.Txn txn(long index) {
    List<Request.Put> puts = new ArrayList<>(keysPerRequest);
    for (int part = 0; part < keysPerRequest; part++) {
      puts.add(put(index, part));
    }
    return new Request.Txn(puts);
  }

  private Request.Range range(long index) {
    byte[] key = keys.at(keyRead(index));
    int suffix = String.valueOf(mix.range().keys()).length() - 1;
    return new Request.Range(
        Arrays.copyOf(key, key.length - suffix),
        mix.range().limit(),
        mix.range().countOnly(),
        consistency);
  }

  private void compareAndSet(Connection connection, long index, Completion completion) {
    byte[] key = keys.at(keyWritten(index, 0));
    connection.submit(
        Request.get(key, consistency), new WriteBack(connection, key, index, completion));
  }

  private long keyWritten(long index, int part) {
    return keys.numberOf(
        keys.readsTheLatest() ? writesBefore(index) : index * keysPerRequest + part);
  }

  private long keyRead(long index) {
    return keys.readBy(index * keysPerRequest, writesBefore(index));
  }

  /** Returns how many of the requests before this one write, to be expected by the weights. */
  private long writesBefore(long index) {
    return (long) (index * writeShare);
  }

  private long valueWritten(long index, int part) {
    return values.first() + index * keysPerRequest + part;
  }

  /**
   * Returns the number of the key to which a value of these requests is written; negative if it is
   * written to none.
   *
   * @param offset its number after the first one
   */
  long keyOfValue(long offset) {
    long index = offset / keysPerRequest;
    int part = (int) (offset % keysPerRequest);
    return switch (operations[operation(index)]) {
      case TXN -> keyWritten(index, part);
      case PUT, COMPARE_AND_SET -> part == 0 ? keyWritten(index, 0) : -1;
      case GET, DELETE, RANGE -> -1;
    };
  }

  @Override
  public ValueCheck check(long index, Answer answer) {
    if (answer instanceof Answer.Found found) {
      return check(keyRead(index), found.value());
    }
    return answer instanceof Answer.Entries entries ? check(index, entries) : ValueCheck.INTACT;
  }

  private ValueCheck check(long key, byte[] value) {
    return mix.writes()
        ? values.source().check(value, number -> values.keyOf().applyAsLong(number) == key)
        : values.source().check(key, value);
  }

  private ValueCheck check(long index, Answer.Entries entries) {
    OperationMix.RangeShape range = mix.range();
    long key = keyRead(index);
    long first = key - key % range.keys();
    long expected = Math.min(range.keys(), keyCount - first);
    long returned = range.limit() == 0 ? expected : Math.min(range.limit(), expected);
    if (entries.count() != expected
        || entries.entries().size() != (range.countOnly() ? 0 : returned)) {
      return ValueCheck.OTHER_KEYS;
    }
    for (int i = 0; i < entries.entries().size(); i++) {
      Answer.Entry entry = entries.entries().get(i);
      if (!Arrays.equals(entry.key(), keys.at(first + i))) {
        return ValueCheck.OTHER_KEYS;
      }
      ValueCheck value = check(first + i, entry.value());
      if (value != ValueCheck.INTACT) {
        return value;
      }
    }
    return ValueCheck.INTACT;
  }

  /** Writes a key that was read, if nobody else has meanwhile. */
  private final class WriteBack implements Completion {
    private final Connection connection;
    private final byte[] key;
    private final long index;
    private final Completion completion;

    WriteBack(Connection connection, byte[] key, long index, Completion completion) {
      this.connection = connection;
      this.key = key;
      this.index = index;
      this.completion = completion;
    }

    @Override
    public void answered(Answer answer) {
      if (!(answer instanceof Answer.Found found)) {
        completion.answered(answer);
        return;
      }
      ValueCheck read = check(keyWritten(index, 0), found.value());
      if (read != ValueCheck.INTACT) {
        completion.failed(ErrorKind.CORRUPT, read.message());
        return;
      }
      if (found.revision() == Answer.NO_REVISION) {
        completion.failed(ErrorKind.OTHER, "malformed response: no revision");
        return;
      }
      connection.submit(
          new Request.CompareAndSet(
              key, values.source().at(valueWritten(index, 0)), found.revision()),
          completion);
    }

    @Override
    public void failed(ErrorKind kind, String message) {
      completion.failed(kind, message);
    }
  }
}
