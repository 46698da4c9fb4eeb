// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.OperatingSystemMXBean;
import io.quorate.DaemonThreads;
import io.quorate.measure.StepRecorder;
import io.quorate.store.Connection;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;
import org.jspecify.annotations.Nullable;

/**
 * Measures the cost of the load to this process while a step runs. Its values show whether the load
 * generator limited the results. Different threads may call {@link #start} and {@link #stop}, one
 * after the other; the values are available after {@link #stop}. Only one at a time may run in a
 * JVM, since the JVM reports the machine's load since the last query.
 */
public final class LoadGeneratorMonitor {
  /**
   * A garbage collection that stopped all threads of this process for {@value #MIN_PAUSE_MILLIS} ms
   * or longer.
   */
  public record GcPause(String collector, long startUnixMillis, long endUnixMillis) {}

  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final long MIN_PAUSE_MILLIS = 10;

  /** Most recorded pauses, which limits the memory of a process that mainly collects garbage. */
  private static final int MAX_PAUSES = 10_000;

  private final OperatingSystemMXBean system =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private final NotificationListener pauses = this::paused;
  private final AtomicLong gcMillis = new AtomicLong();
  private final AtomicLong longestGcMillis = new AtomicLong();
  private final Queue<GcPause> gcPauses = new ConcurrentLinkedQueue<>();
  private final AtomicInteger pauseCount = new AtomicInteger();
  private @Nullable ThreadProbe probe;
  private long startNanos;
  private long elapsedNanos;
  private long cpuNanos;
  private long compileNanos;
  private double machineLoad;

  /**
   * Starts to measure, just before the first request; the recorder is notified how long answers
   * wait.
   */
  void start(List<? extends Connection> connections, StepRecorder recorder) {
    collectors().forEach(each -> each.addNotificationListener(pauses, null, null));
    system.getCpuLoad();
    probe = ThreadProbe.start(connections, recorder);
    cpuNanos = system.getProcessCpuTime();
    compileNanos = totalCompileNanos();
    startNanos = System.nanoTime();
  }

  /** Stops measuring, just after the last request. */
  void stop() {
    elapsedNanos = System.nanoTime() - startNanos;
    cpuNanos = system.getProcessCpuTime() - cpuNanos;
    compileNanos = totalCompileNanos() - compileNanos;
    machineLoad = system.getCpuLoad();
    Objects.requireNonNull(probe).close();
    for (NotificationEmitter collector : collectors()) {
      try {
        collector.removeNotificationListener(pauses);
      } catch (ListenerNotFoundException impossible) {
        throw new IllegalStateException(impossible);
      }
    }
  }

  private void paused(Notification notification, Object nothing) {
    if (!notification
        .getType()
        .equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
      return;
    }
    GarbageCollectionNotificationInfo collection =
        GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData());
    // collectors use this name for concurrent work, which stops no threads
    if (collection.getGcName().contains("Concurrent")
        || collection.getGcName().contains("Cycles")) {
      return;
    }
    long millis = collection.getGcInfo().getDuration();
    gcMillis.addAndGet(millis);
    longestGcMillis.accumulateAndGet(millis, Math::max);
    if (millis >= MIN_PAUSE_MILLIS && pauseCount.incrementAndGet() <= MAX_PAUSES) {
      long jvmStart = ManagementFactory.getRuntimeMXBean().getStartTime();
      gcPauses.add(
          new GcPause(
              collection.getGcName(),
              jvmStart + collection.getGcInfo().getStartTime(),
              jvmStart + collection.getGcInfo().getEndTime()));
    }
  }

  private static List<NotificationEmitter> collectors() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .filter(NotificationEmitter.class::isInstance)
        .map(NotificationEmitter.class::cast)
        .toList();
  }

  public long elapsedNanos() {
    return elapsedNanos;
  }

  /** Returns the user and system time of all threads of this process. */
  public long cpuNanos() {
    return cpuNanos;
  }

  /** Returns the time of {@link #totalCompileNanos} in the step. */
  public long compileNanos() {
    return compileNanos;
  }

  /**
   * Returns the CPU time of the JVM's compiler since its start; where the system does not count it,
   * how long its compilations took, in whole milliseconds; 0 if the JVM does not tell.
   */
  static long totalCompileNanos() {
    return CompilerThreads.cpuNanos().orElseGet(LoadGeneratorMonitor::elapsedCompileNanos);
  }

  private static long elapsedCompileNanos() {
    CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
    return compiler != null && compiler.isCompilationTimeMonitoringSupported()
        ? compiler.getTotalCompilationTime() * NANOS_PER_MILLI
        : 0;
  }

  /** Returns the utilization of the CPUs of this JVM by any process, 0 to 1; empty if unknown. */
  public OptionalDouble machineLoad() {
    return machineLoad >= 0 ? OptionalDouble.of(machineLoad) : OptionalDouble.empty();
  }

  /** Returns how long garbage collection stopped all threads, each pause in whole milliseconds. */
  public long gcPauseNanos() {
    return gcMillis.get() * NANOS_PER_MILLI;
  }

  public long longestGcPauseNanos() {
    return longestGcMillis.get() * NANOS_PER_MILLI;
  }

  /** Returns the pauses of 10 ms or more for garbage collection, in their order. */
  public List<GcPause> gcPauses() {
    return List.copyOf(gcPauses);
  }

  List<LoadGeneratorStall> stalls() {
    return Objects.requireNonNull(probe).stalls();
  }

  /**
   * Measures how long the threads that run completions delay an answer. A hundred times a second it
   * passes a task to the thread of the next connection, and measures the time until the task runs.
   * If a client library accepts no tasks, it measures a separate idle thread: the delay is then the
   * wait for a CPU. It also notes when this process stalled.
   */
  static final class ThreadProbe implements AutoCloseable {
    private static final long PERIOD_NANOS = 10_000_000;

    private final StepRecorder recorder;
    private final List<Executor> threads;
    private final ExecutorService standIn =
        Executors.newSingleThreadExecutor(DaemonThreads.named("thread-probe"));
    private final List<LoadGeneratorStall> stalls = new CopyOnWriteArrayList<>();
    private volatile boolean closed;

    private ThreadProbe(List<? extends Connection> connections, StepRecorder recorder) {
      this.recorder = recorder;
      this.threads = connections.stream().map(each -> each.eventLoop().orElse(standIn)).toList();
    }

    static ThreadProbe start(List<? extends Connection> connections, StepRecorder recorder) {
      ThreadProbe started = new ThreadProbe(connections, recorder);
      DaemonThreads.start("thread-probe", started::probe);
      return started;
    }

    private void probe() {
      for (int turn = 0; !closed; turn++) {
        long due = System.nanoTime() + PERIOD_NANOS;
        LockSupport.parkNanos(PERIOD_NANOS);
        long handed = System.nanoTime();
        if (handed - due >= LoadGeneratorStall.MIN_NANOS) {
          stalls.add(new LoadGeneratorStall(due, handed, 0));
        }
        try {
          threads
              .get(turn % threads.size())
              .execute(() -> recorder.receiverDelayed(System.nanoTime() - handed));
        } catch (RejectedExecutionException noConnection) {
          continue; // it may recover
        }
      }
    }

    List<LoadGeneratorStall> stalls() {
      return List.copyOf(stalls);
    }

    @Override
    public void close() {
      closed = true;
      standIn.shutdown();
    }
  }
}
