package io.quorate.gatling;

import io.quorate.scenario.Operation;
import io.quorate.scenario.Scenario;
import io.quorate.store.Completion;
import io.quorate.store.ErrorKind;
import io.quorate.store.KeyValueDriver;
import io.quorate.store.ReadConsistency;

/** Defines the requests of a scenario: their keys, values and operation. Immutable. */
final class Workload {
  private final Scenario scenario;
  private final KeySequence keys;
  private final KeySequence warmUpKeys;
  private final ValueSource values;

  /**
   * Number of the first value of the warm-up: values are numbered in the order of their writing:
   * prepared keys, warm-up, measured.
   */
  private final long firstOfWarmUp;

  private final long firstMeasured;

  Workload(Scenario scenario) {
    this.scenario = scenario;
    this.keys = KeySequence.measured(scenario.keys(), scenario.seed());
    this.warmUpKeys = KeySequence.warmUp(scenario.keys(), scenario.seed());
    this.firstOfWarmUp = createsItsKeys() ? 0 : scenario.keys().count();
    this.firstMeasured = firstOfWarmUp + scenario.warmUp();
    this.values =
        new ValueSource(
            scenario.valueBytes(), firstMeasured + scenario.requests(), scenario.seed());
  }

  /** Whether each measured request creates a key of its own, so that none exists beforehand. */
  boolean createsItsKeys() {
    return !scenario.keys().prepared();
  }

  /** Returns the measured request. */
  Request measured() {
    return request(keys, firstMeasured);
  }

  /** Returns a request of the same kind that leaves the measured keys as they are. */
  Request warmUp() {
    return request(createsItsKeys() ? warmUpKeys : keys, firstOfWarmUp);
  }

  private Request request(KeySequence sequence, long firstValue) {
    if (scenario.operation() == Operation.READ) {
      return new Read(sequence, scenario.consistency(), values);
    }
    return createsItsKeys()
        ? (connection, index, completion) ->
            connection.create(sequence.ofRequest(index), values.at(firstValue + index), completion)
        : (connection, index, completion) ->
            connection.update(sequence.ofRequest(index), values.at(firstValue + index), completion);
  }

  /** Reads a prepared key, which holds the value with the number of the key. */
  private record Read(KeySequence keys, ReadConsistency consistency, ValueSource values)
      implements Request {
    @Override
    public void send(KeyValueDriver connection, long index, Completion completion) {
      connection.get(keys.ofRequest(index), consistency, completion);
    }

    @Override
    public ValueCheck check(long index, byte[] read) {
      return values.check(keys.numberOf(index), read);
    }
  }

  /**
   * Returns a request that writes key number {@code index} with a fresh value, whether it exists or
   * not.
   */
  Request prepare() {
    return (connection, index, completion) -> {
      byte[] key = keys.at(index);
      byte[] value = values.at(index);
      connection.create(key, value, new UpdateIfThere(connection, key, value, completion));
    };
  }

  /**
   * Returns a read of a key that must not exist when each request creates one: the first or the
   * last.
   */
  Request firstAndLast() {
    return (connection, index, completion) ->
        connection.get(
            keys.at(index == 0 ? 0 : scenario.keys().count() - 1),
            ReadConsistency.LINEARIZABLE,
            completion);
  }

  /** Handles the end of a create that may find the key there. */
  private record UpdateIfThere(
      KeyValueDriver connection, byte[] key, byte[] value, Completion completion)
      implements Completion {
    @Override
    public void written() {
      completion.written();
    }

    @Override
    public void found(byte[] old) {
      completion.found(old);
    }

    @Override
    public void missing() {
      completion.missing();
    }

    @Override
    public void failed(ErrorKind kind, String message) {
      if (kind == ErrorKind.REJECTED) {
        connection.update(key, value, completion);
      } else {
        completion.failed(kind, message);
      }
    }
  }

  /** Returns a request that removes what request {@code index} of a creating warm-up left. */
  Request cleanUp() {
    return (connection, index, completion) ->
        connection.delete(warmUpKeys.ofRequest(index), completion);
  }
}
