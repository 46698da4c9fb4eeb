package io.quorate.gatling;

import io.quorate.measure.SecondTally;
import io.quorate.measure.StepRecorder;
import io.quorate.store.Completion;
import io.quorate.store.ErrorKind;
import io.quorate.store.KeyValueDriver;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * One client in a closed loop: sends a request, waits for its end, sends the next, until none is
 * left. The next request is sent on the thread on which the last one ended, without a hand-off; a
 * request that ends before {@code send} returns is followed by a turn of the loop, not by a deeper
 * call.
 */
final class Client implements Completion {
  private static final VarHandle PHASE;
  private static final int SENDING = 0;
  private static final int WAITING = 1;
  private static final int ENDED = 2;

  static {
    try {
      PHASE = MethodHandles.lookup().findVarHandle(Client.class, "phase", int.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  private final ClosedLoop loop;
  private final StepRecorder recorder;
  private final KeyValueDriver connection;
  private final RequestLog log;
  private final Runnable whenDone;

  private volatile int phase;

  private long index;
  private long startNanos;
  private SecondTally sentIn;
  private boolean pausing;

  Client(ClosedLoop loop, KeyValueDriver connection, RequestLog log, Runnable whenDone) {
    this.loop = loop;
    this.recorder = loop.recorder();
    this.connection = connection;
    this.log = log;
    this.whenDone = whenDone;
  }

  /** Starts the client; returns while requests are under way. */
  void start() {
    recorder.clientStarted(System.nanoTime());
    run();
  }

  private void run() {
    do {
      if (pausing) {
        pausing = false;
        loop.later(this::run);
        return;
      }
      index = loop.budget().take();
      if (index < 0) {
        recorder.clientFinished(System.nanoTime());
        log.ended();
        whenDone.run();
        return;
      }
      send();
    } while (!PHASE.compareAndSet(this, SENDING, WAITING));
  }

  private void send() {
    phase = SENDING;
    startNanos = System.nanoTime();
    sentIn = recorder.second(startNanos);
    try {
      loop.request().send(connection, index, this);
    } catch (RuntimeException broken) { // against the contract; the loop must not hang all the same
      if (phase == SENDING) {
        failed(ErrorKind.OTHER, broken.toString());
      }
    }
  }

  private void ended() {
    if (!PHASE.compareAndSet(this, SENDING, ENDED)) {
      run();
    }
  }

  private void succeeded(long endNanos) {
    recorder.succeeded(sentIn, startNanos, endNanos);
    log.succeeded(startNanos, endNanos);
    ended();
  }

  @Override
  public void written() {
    succeeded(System.nanoTime());
  }

  @Override
  public void found(byte[] value) {
    long endNanos = System.nanoTime();
    ValueCheck check = loop.request().check(index, value);
    if (check == ValueCheck.INTACT) {
      succeeded(endNanos);
    } else {
      failed(endNanos, ErrorKind.CORRUPT, check.message());
    }
  }

  @Override
  public void missing() {
    failed(ErrorKind.MISSING, "no such key");
  }

  @Override
  public void failed(ErrorKind kind, String message) {
    failed(System.nanoTime(), kind, message);
  }

  private void failed(long endNanos, ErrorKind kind, String message) {
    recorder.failed(sentIn, kind.label(), message, endNanos - startNanos);
    log.failed(startNanos, endNanos, kind, message);
    pausing = kind == ErrorKind.CONNECTION;
    ended();
  }
}
