package io.quorate.load.workload;

import io.quorate.measure.WatchRecorder;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.ErrorKind;

/**
 * Puts whose watchers are measured.
 *
 * @param puts the requests themselves
 * @param watchers is told when each is sent, and that it was acknowledged
 */
public record WatchedRequests(NumberedRequests puts, WatchRecorder watchers)
    implements NumberedRequests {
  @Override
  public void send(Connection connection, long index, Completion completion) {
    puts.send(connection, index, completion);
  }

  @Override
  public int operation(long index) {
    return puts.operation(index);
  }

  @Override
  public void sending(long index, long dueNanos) {
    watchers.sent(index, dueNanos);
    puts.sending(index, dueNanos);
  }

  @Override
  public void acknowledged(long index, long endNanos, long delayNanos) {
    watchers.acknowledged(index);
    puts.acknowledged(index, endNanos, delayNanos);
  }

  @Override
  public void failed(long index, ErrorKind kind) {
    puts.failed(index, kind);
  }

  @Override
  public ValueCheck check(long index, Answer answer) {
    return puts.check(index, answer);
  }
}
