// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import io.quorate.DaemonThreads;
import io.quorate.store.ErrorKind;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Passes the requests of one client to a listener, on a shared thread: successes in batches, and
 * all logged requests every {@value #DELAY_MILLIS} ms. Waking a thread for every request would cost
 * more than its work. So the path of a request is the same code for every listener, including the
 * warm-up, and the JVM need not compile it again. One thread at a time.
 */
public final class RequestLog {
  private static final int AT_ONCE = 64;
  private static final int DELAY_MILLIS = 50;

  private static final Queue<Runnable> UNTOLD = new ConcurrentLinkedQueue<>();
  private static final AtomicBoolean IS_DUE = new AtomicBoolean();

  /** Executor whose thread exists only while there are requests to pass on. */
  private static final ScheduledThreadPoolExecutor TELLING =
      new ScheduledThreadPoolExecutor(1, DaemonThreads.named("request-log"));

  static {
    TELLING.setKeepAliveTime(1, TimeUnit.SECONDS);
    TELLING.allowCoreThreadTimeOut(true);
  }

  private final RequestListener listener;
  private Successes successes;

  public RequestLog(RequestListener listener) {
    this.listener = listener;
    this.successes = new Successes(listener);
  }

  /** Completes when all requests logged up to now were passed to their listeners. */
  static CompletableFuture<Void> told() {
    return CompletableFuture.runAsync(RequestLog::tell, TELLING);
  }

  private static void tellSoon(Runnable requests) {
    UNTOLD.add(requests);
    if (IS_DUE.compareAndSet(false, true)) {
      TELLING.schedule(RequestLog::tell, DELAY_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private static void tell() {
    IS_DUE.set(false);
    for (Runnable next = UNTOLD.poll(); next != null; next = UNTOLD.poll()) {
      try {
        next.run();
      } catch (RuntimeException thrownByListener) {
        Thread current = Thread.currentThread();
        current.getUncaughtExceptionHandler().uncaughtException(current, thrownByListener);
      }
    }
  }

  /** Logs a successful request without blocking, with times of the nano clock. */
  void succeeded(int operation, long startNanos, long endNanos) {
    if (successes.add(operation, startNanos, endNanos) == AT_ONCE) {
      ended();
    }
  }

  void failed(int operation, long startNanos, long endNanos, ErrorKind kind, String message) {
    tellSoon(() -> listener.failed(operation, startNanos, endNanos, kind, message));
  }

  void ended() {
    tellSoon(successes);
    successes = new Successes(listener);
  }

  private static final class Successes implements Runnable {
    private final RequestListener listener;
    private final byte[] operation = new byte[AT_ONCE];
    private final long[] startNanos = new long[AT_ONCE];
    private final long[] endNanos = new long[AT_ONCE];
    private int count;

    Successes(RequestListener listener) {
      this.listener = listener;
    }

    int add(int which, long start, long end) {
      operation[count] = (byte) which;
      startNanos[count] = start;
      endNanos[count] = end;
      return ++count;
    }

    @Override
    public void run() {
      for (int i = 0; i < count; i++) {
        listener.succeeded(operation[i], startNanos[i], endNanos[i]);
      }
    }
  }
}
