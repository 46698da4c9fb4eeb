// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import io.quorate.load.workload.RequestSource;
import io.quorate.load.workload.ValueCheck;
import io.quorate.measure.OperationRecorder;
import io.quorate.measure.SecondTally;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.ErrorKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request in flight, which records its outcome; an answer that does not match the request is an
 * error. It handles one request at a time; its times are times of the nano clock.
 */
public abstract class InFlightRequest implements Completion {
  private final RequestSource requests;
  private final List<OperationRecorder> recorders;
  private final Connection connection;
  private final RequestLog log;

  private long index;
  private int operation;
  private OperationRecorder recorder;
  private SecondTally dueIn;
  private long dueNanos;
  private long sentNanos;
  private long delayNanos;
  private long queuedNanos;
  private boolean stamped;

  @SuppressWarnings("NullAway.Init") // each request sets its recorder and second before it is sent
  InFlightRequest(
      RequestSource requests,
      List<OperationRecorder> recorders,
      Connection connection,
      RequestLog log) {
    this.requests = requests;
    this.recorders = recorders;
    this.connection = connection;
    this.log = log;
  }

  /**
   * Sends a request.
   *
   * @param dueNanos its scheduled send time, from which its response time runs
   * @param sentNanos when the driver is called, which counts as the send time unless the driver
   *     reports when it wrote the request
   * @throws RuntimeException if the driver throws, against its contract
   */
  final void send(long index, long dueNanos, long sentNanos) {
    this.index = index;
    this.dueNanos = dueNanos;
    this.sentNanos = sentNanos;
    delayNanos = sentNanos - dueNanos;
    queuedNanos = 0;
    stamped = false;
    operation = requests.operation(index);
    recorder = recorders.get(operation);
    dueIn = recorder.begun(dueNanos);
    requests.sending(index, dueNanos);
    requests.send(connection, index, this);
  }

  /** Records a request that could not be sent, as there is no connection for it. */
  final void unsent(long index, long dueNanos, String why) {
    this.index = index;
    this.dueNanos = dueNanos;
    sentNanos = dueNanos;
    delayNanos = 0;
    queuedNanos = 0;
    operation = requests.operation(index);
    recorder = recorders.get(operation);
    dueIn = recorder.begun(dueNanos);
    failed(ErrorKind.CONNECTION, why);
  }

  @Override
  public final void sent(long nanos, long heldNanos) {
    if (!stamped) {
      stamped = true;
      sentNanos = nanos;
      queuedNanos = heldNanos;
      delayNanos = Math.max(0, nanos - dueNanos - heldNanos);
    }
  }

  @Override
  public final void answered(Answer answer) {
    long endNanos = System.nanoTime();
    if (answer instanceof Answer.Missing) {
      failed(endNanos, ErrorKind.MISSING, "no such key");
    } else if (answer instanceof Answer.Conflict) {
      failed(endNanos, ErrorKind.CONFLICT, "another client has written the key meanwhile");
    } else {
      ValueCheck check = requests.check(index, answer);
      if (check == ValueCheck.INTACT) {
        succeeded(endNanos);
      } else {
        failed(endNanos, ErrorKind.CORRUPT, check.message());
      }
    }
  }

  /** Counts an attempt that failed because another client has written the key meanwhile. */
  public final void conflicted() {
    recorder.conflicted();
  }

  private void succeeded(long endNanos) {
    requests.acknowledged(index, endNanos);
    recorder.succeeded(dueIn, dueNanos, sentNanos, endNanos, delayNanos);
    recorder.delayed(delayNanos);
    recorder.queued(queuedNanos);
    log.succeeded(operation, dueNanos, endNanos);
    ended(null);
  }

  @Override
  public final void failed(ErrorKind kind, String message) {
    failed(System.nanoTime(), kind, message);
  }

  private void failed(long endNanos, ErrorKind kind, String message) {
    requests.failed(index, kind);
    recorder.failed(dueIn, kind.label(), message, endNanos - dueNanos);
    recorder.delayed(delayNanos);
    recorder.queued(queuedNanos);
    log.failed(operation, dueNanos, endNanos, kind, message);
    ended(kind);
  }

  /**
   * Handles the end of the request, after it was recorded.
   *
   * @param kind kind of the error; null if there was none
   */
  abstract void ended(@Nullable ErrorKind kind);
}
