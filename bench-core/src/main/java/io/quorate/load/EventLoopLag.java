package io.quorate.load;

import io.quorate.measure.LatencyRecorder;
import io.quorate.store.Connection;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Measures how long the threads that run completions keep work waiting: twenty times a second it
 * hands a task to the event loop of the next connection and takes the time until the task runs.
 * Where a client library takes no tasks, a thread that does nothing else stands in: what is seen
 * then is how long a thread waits for a processor.
 */
final class EventLoopLag implements AutoCloseable {
  private static final long PERIOD_NANOS = 50_000_000;
  private static final int SIGNIFICANT_DIGITS = 3;

  private final LatencyRecorder recorder = new LatencyRecorder(SIGNIFICANT_DIGITS);
  private final List<Executor> loops;
  private final ExecutorService standIn = Executors.newSingleThreadExecutor(EventLoopLag::daemon);
  private final Thread thread = daemon(this::probe);
  private volatile boolean closed;

  private EventLoopLag(List<? extends Connection> connections) {
    this.loops = connections.stream().map(each -> each.eventLoop().orElse(standIn)).toList();
  }

  static EventLoopLag start(List<? extends Connection> connections) {
    EventLoopLag started = new EventLoopLag(connections);
    started.thread.start();
    return started;
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "event-loop-lag");
    thread.setDaemon(true);
    return thread;
  }

  private void probe() {
    for (int turn = 0; !closed; turn++) {
      LockSupport.parkNanos(PERIOD_NANOS);
      long handed = System.nanoTime();
      try {
        loops.get(turn % loops.size()).execute(() -> recorder.record(System.nanoTime() - handed));
      } catch (RejectedExecutionException connectionClosed) {
        return;
      }
    }
  }

  /** Returns the histogram of all probes up to now; once. */
  Histogram histogram() {
    return recorder.interval();
  }

  @Override
  public void close() {
    closed = true;
    standIn.shutdown();
  }
}
