// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import io.quorate.measure.WatchRecorder;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.ErrorKind;
import org.jspecify.annotations.Nullable;

/**
 * Requests whose outcomes are recorded for reading back, and for watchers of their puts.
 *
 * @param outcomes outcomes of all requests; null if nothing is read back
 * @param watchers watchers of the puts; null if there are none
 */
record RecordedRequests(
    MixSource requests, @Nullable AckBitmap outcomes, @Nullable WatchRecorder watchers)
    implements RequestSource {
  @Override
  public void send(Connection connection, long index, Completion completion) {
    requests.send(connection, index, completion);
  }

  @Override
  public int operation(long index) {
    return requests.operation(index);
  }

  @Override
  public ValueCheck check(long index, Answer answer) {
    return requests.check(index, answer);
  }

  @Override
  public void sending(long index, long dueNanos) {
    if (watchers != null && requests.changesValue(index)) {
      watchers.sent(index, dueNanos);
    }
    if (outcomes != null) {
      outcomes.due(index, dueNanos);
    }
  }

  @Override
  public void acknowledged(long index, long endNanos) {
    if (watchers != null && requests.changesValue(index)) {
      watchers.acknowledged(index);
    }
    if (outcomes != null) {
      outcomes.acknowledged(index, endNanos);
    }
  }

  @Override
  public void failed(long index, ErrorKind kind) {
    if (outcomes != null) {
      outcomes.failed(index, kind);
    }
  }
}
