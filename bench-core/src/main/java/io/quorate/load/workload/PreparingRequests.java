// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import io.quorate.scenario.Scenario;
import io.quorate.store.Answer;
import io.quorate.store.Capabilities;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.ErrorKind;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Request;
import io.quorate.store.ReturnedValue;
import java.util.function.LongFunction;

/**
 * Defines the requests that bring a store into the state that the measured ones require. Immutable.
 *
 * @param warmUpKeys keys that only the warm-up uses, if it has separate keys
 * @param can requests that the store supports
 */
public record PreparingRequests(
    Scenario scenario,
    KeySequence keys,
    KeySequence warmUpKeys,
    ValueSource values,
    Capabilities can) {
  /** Returns requests that write key {@code index} anew, whether it exists or not. */
  public RequestSource writeKeys() {
    return write(keys::at);
  }

  public RequestSource writeWarmUpKeys() {
    return write(warmUpKeys::ofRequest);
  }

  /** Returns requests that write keys which no other request reads or writes. */
  public RequestSource preload() {
    return write(KeySequence.preloaded(scenario.requests().keys(), scenario.requests().seed())::at);
  }

  public RequestSource removeWarmUpKeys() {
    return KeyRemoval.removals(can, warmUpKeys::ofRequest);
  }

  /** Returns reads of the first and the last key, which must not exist if requests create them. */
  public RequestSource firstAndLast() {
    return (connection, index, completion) ->
        connection.submit(
            new Request.Get(
                keys.at(index == 0 ? 0 : scenario.requests().keys().count() - 1),
                ReadConsistency.LINEARIZABLE),
            completion);
  }

  /** Returns streamed reads of at most one key, which an older server refuses. */
  public RequestSource streamedRange() {
    return (connection, index, completion) ->
        connection.submit(
            new Request.Range(keys.at(0), 1, ReturnedValue.KEYS, ReadConsistency.LINEARIZABLE)
                .inChunks(true),
            completion);
  }

  private RequestSource write(LongFunction<byte[]> which) {
    return (connection, index, completion) -> {
      byte[] key = which.apply(index);
      byte[] value = values.at(index);
      connection.submit(
          Request.create(key, value), new UpdateIfThere(connection, key, value, completion));
    };
  }

  /** Handles the end of a create whose key may already exist. */
  private record UpdateIfThere(
      Connection connection, byte[] key, byte[] value, Completion completion)
      implements Completion {
    @Override
    public void answered(Answer answer) {
      completion.answered(answer);
    }

    @Override
    public void failed(ErrorKind kind, String message) {
      if (kind == ErrorKind.REJECTED) {
        connection.submit(Request.update(key, value), completion);
      } else {
        completion.failed(kind, message);
      }
    }
  }
}
