package io.quorate.load.workload;

import io.quorate.measure.WatchRecorder;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.ErrorKind;

/**
 * Requests whose outcomes are recorded for the reading back, and for watchers of their puts.
 *
 * @param acknowledgements outcomes of all requests; null if nothing is read back
 * @param watchers of the puts; null if there are none
 */
record RecordedRequests(RequestSource requests, AckBitmap acknowledgements, WatchRecorder watchers)
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
    if (watchers != null) {
      watchers.sent(index, dueNanos);
    }
    if (acknowledgements != null) {
      acknowledgements.due(index, dueNanos);
    }
  }

  @Override
  public void acknowledged(long index, long endNanos) {
    if (watchers != null) {
      watchers.acknowledged(index);
    }
    if (acknowledgements != null) {
      acknowledgements.acknowledged(index, endNanos);
    }
  }

  @Override
  public void failed(long index, ErrorKind kind) {
    if (acknowledgements != null) {
      acknowledgements.failed(index, kind);
    }
  }
}
