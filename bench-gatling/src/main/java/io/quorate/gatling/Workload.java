package io.quorate.gatling;

import io.quorate.scenario.Operation;
import io.quorate.scenario.Scenario;

/** What the requests of a scenario are: which key, which value, which operation. Immutable. */
final class Workload {
  private final Scenario scenario;
  private final KeySequence keys;
  private final KeySequence warmUpKeys;
  private final ValueSource values;

  Workload(Scenario scenario) {
    this.scenario = scenario;
    this.keys = KeySequence.measured(scenario.keys(), scenario.seed());
    this.warmUpKeys = KeySequence.warmUp(scenario.keys(), scenario.seed());
    this.values = new ValueSource(scenario.valueBytes(), scenario.seed());
  }

  /** Whether each measured request creates a key of its own, so that none is there beforehand. */
  boolean createsItsKeys() {
    return scenario.operation() == Operation.WRITE
        && scenario.keys().count() >= scenario.requests();
  }

  /** The measured requests. */
  Request measured() {
    return request(keys);
  }

  /** Requests of the same kind that leave the measured keys as they are. */
  Request warmUp() {
    return request(createsItsKeys() ? warmUpKeys : keys);
  }

  private Request request(KeySequence sequence) {
    if (scenario.operation() == Operation.READ) {
      return (connection, index, completion) ->
          connection.get(sequence.ofRequest(index), scenario.consistency(), completion);
    }
    return createsItsKeys()
        ? (connection, index, completion) ->
            connection.create(sequence.ofRequest(index), values.ofRequest(index), completion)
        : (connection, index, completion) ->
            connection.update(sequence.ofRequest(index), values.ofRequest(index), completion);
  }

  /** Writes key number {@code index}, for those that have to be there before the first request. */
  Request prepare() {
    return (connection, index, completion) ->
        connection.create(keys.at(index), values.ofRequest(index), completion);
  }

  /** Removes what request {@code index} of a creating warm-up left. */
  Request cleanUp() {
    return (connection, index, completion) ->
        connection.delete(warmUpKeys.ofRequest(index), completion);
  }
}
