package io.quorate.load.workload;

import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.ErrorKind;

/**
 * Requests of which is remembered whether they were acknowledged.
 *
 * @param acknowledgements where it is remembered
 */
record AcknowledgedRequests(NumberedRequests requests, Acknowledgements acknowledgements)
    implements NumberedRequests {
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
    acknowledgements.due(index, dueNanos);
  }

  @Override
  public void acknowledged(long index, long endNanos, long delayNanos) {
    acknowledgements.acknowledged(index, endNanos);
  }

  @Override
  public void failed(long index, ErrorKind kind) {
    acknowledgements.failed(index, kind);
  }
}
