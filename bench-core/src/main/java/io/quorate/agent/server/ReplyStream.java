// SPDX-License-Identifier: Apache-2.0
package io.quorate.agent.server;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.quorate.agent.wire.Reply;
import java.time.Duration;

/** The replies of an agent to the load generator that holds it. Safe for several threads. */
final class ReplyStream {
  private final ServerCallStreamObserver<Reply> observer;
  private boolean closed;

  ReplyStream(ServerCallStreamObserver<Reply> observer) {
    this.observer = observer;
    observer.setOnReadyHandler(this::wake);
    observer.setOnCancelHandler(this::wake);
  }

  private synchronized void wake() {
    notifyAll();
  }

  synchronized void send(Reply reply) {
    if (!closed && !observer.isCancelled()) {
      observer.onNext(reply);
    }
  }

  /** Sends a reply if there is room, otherwise drops it. */
  synchronized void sendIfReady(Reply reply) {
    if (isReady()) {
      send(reply);
    }
  }

  /** Returns whether more data can be sent without queueing it in memory. */
  synchronized boolean isReady() {
    return !closed && observer.isReady();
  }

  /** Waits until there is room; false if there is none in time or the connection is gone. */
  synchronized boolean awaitReady(Duration limit) throws InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!isReady()) {
      long millis = (deadline - System.nanoTime()) / 1_000_000;
      if (closed || observer.isCancelled() || millis < 1) {
        return false;
      }
      wait(millis);
    }
    return true;
  }

  /** Ends the stream: normally without a status, otherwise with that error. */
  synchronized void end(Status status) {
    if (closed || observer.isCancelled()) {
      return;
    }
    closed = true;
    notifyAll();
    if (status.isOk()) {
      observer.onCompleted();
    } else {
      observer.onError(status.asRuntimeException());
    }
  }
}
