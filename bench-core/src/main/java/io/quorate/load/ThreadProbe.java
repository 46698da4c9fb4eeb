package io.quorate.load;

import io.quorate.measure.StepRecorder;
import io.quorate.store.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures how long the threads that run completions keep an answer waiting: a hundred times a
 * second it hands a task to the thread of the next connection and takes the time until the task
 * runs. Where a client library takes no tasks, a thread that does nothing else stands in: what is
 * seen then is how long a thread waits for a CPU. It also notes when this process stood still.
 */
final class ThreadProbe implements AutoCloseable {
  private static final long PERIOD_NANOS = 10_000_000;

  private final StepRecorder recorder;
  private final List<Executor> threads;
  private final ExecutorService standIn = Executors.newSingleThreadExecutor(ThreadProbe::daemon);
  private final Thread thread = daemon(this::probe);
  private final List<LoadGeneratorStall> stalls = new ArrayList<>();
  private volatile boolean closed;

  private ThreadProbe(List<? extends Connection> connections, StepRecorder recorder) {
    this.recorder = recorder;
    this.threads = connections.stream().map(each -> each.eventLoop().orElse(standIn)).toList();
  }

  static ThreadProbe start(List<? extends Connection> connections, StepRecorder recorder) {
    ThreadProbe started = new ThreadProbe(connections, recorder);
    started.thread.start();
    return started;
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "thread-probe");
    thread.setDaemon(true);
    return thread;
  }

  private void probe() {
    for (int turn = 0; !closed; turn++) {
      long due = System.nanoTime() + PERIOD_NANOS;
      LockSupport.parkNanos(PERIOD_NANOS);
      long handed = System.nanoTime();
      if (handed - due >= LoadGeneratorStall.MIN_NANOS) {
        noteStall(new LoadGeneratorStall(due, handed, 0));
      }
      try {
        threads
            .get(turn % threads.size())
            .execute(() -> recorder.receiverDelayed(System.nanoTime() - handed));
      } catch (RejectedExecutionException noConnection) {
        continue; // it may come back
      }
    }
  }

  private synchronized void noteStall(LoadGeneratorStall stall) {
    stalls.add(stall);
  }

  /** Returns when this process stood still, up to now. */
  synchronized List<LoadGeneratorStall> stalls() {
    return List.copyOf(stalls);
  }

  @Override
  public void close() {
    closed = true;
    standIn.shutdown();
  }
}
