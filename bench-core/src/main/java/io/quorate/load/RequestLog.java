package io.quorate.load;

import io.quorate.store.ErrorKind;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Passes the requests of one client to a listener, on a thread that all share: successes in
 * batches, since to wake a thread for every request costs more than all that it does then. So the
 * path of a request is the same code whoever listens, in the warm-up too, after which the JVM need
 * not compile it again. One thread at a time.
 */
public final class RequestLog {
  private static final int AT_ONCE = 64;

  /** Executor whose thread exists only while there are requests to pass on. */
  private static final ThreadPoolExecutor TELLING =
      new ThreadPoolExecutor(
          1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), RequestLog::daemon);

  static {
    TELLING.allowCoreThreadTimeOut(true);
  }

  private final RequestListener listener;
  private Successes successes;

  public RequestLog(RequestListener listener) {
    this.listener = listener;
    this.successes = new Successes(listener);
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "request-log");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Returns a future that completes when all requests logged up to now have been passed to their
   * listeners.
   */
  static CompletableFuture<Void> told() {
    return CompletableFuture.runAsync(() -> {}, TELLING);
  }

  /** Logs a successful request without blocking, with times of the nano clock. */
  void succeeded(int operation, long startNanos, long endNanos) {
    if (successes.add(operation, startNanos, endNanos) == AT_ONCE) {
      ended();
    }
  }

  /** Logs a failed request without blocking. */
  void failed(int operation, long startNanos, long endNanos, ErrorKind kind, String message) {
    TELLING.execute(() -> listener.failed(operation, startNanos, endNanos, kind, message));
  }

  /** Marks the end of the log. */
  void ended() {
    TELLING.execute(successes);
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
