// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * The time in which a process of a target was stopped by a signal. Only looking again and again
 * shows it: a stop counts from the middle between the look before and the first one that sees it,
 * until the middle between the last one that sees it and the next. One thread looks; {@link
 * #millis} is for any thread.
 */
final class StoppedTime {
  /** Greatest number of remembered stops. */
  private static final int MAX_STOPS = 10_000;

  /** A stop, between two times of the nano clock. */
  record Stop(long startNanos, long endNanos) {}

  private final List<BooleanSupplier> processes;
  private final AtomicLong nanos = new AtomicLong();
  private final Queue<Stop> stops = new ConcurrentLinkedQueue<>();
  private long stopStart;
  private boolean begun;
  private boolean stopped;
  private long last;

  /**
   * Prepares to look at processes.
   *
   * @param processes each returns whether a process is stopped
   */
  StoppedTime(List<BooleanSupplier> processes) {
    this.processes = List.copyOf(processes);
  }

  /**
   * Prepares to look at processes of Linux: at their main threads, since a signal stops all
   * threads, and the kernel adds all of them up for the state of a process.
   */
  static StoppedTime of(List<Long> pids) {
    KernelText kernel = new KernelText();
    return new StoppedTime(
        pids.stream()
            .map(pid -> "/proc/" + pid + "/task/" + pid + "/stat")
            .<BooleanSupplier>map(
                file ->
                    () ->
                        kernel
                            .of(file)
                            .flatMap(ProcessStat::parse)
                            .filter(ProcessStat::isStopped)
                            .isPresent())
            .toList());
  }

  /**
   * Looks at the processes.
   *
   * @param now time of the nano clock
   */
  void look(long now) {
    boolean before = stopped;
    stopped = processes.stream().anyMatch(BooleanSupplier::getAsBoolean);
    if (begun && (before || stopped)) {
      nanos.addAndGet(before && stopped ? now - last : (now - last) / 2);
    }
    long middle = begun ? last + (now - last) / 2 : now;
    if (stopped && !before) {
      stopStart = middle;
    } else if (before && !stopped && stops.size() < MAX_STOPS) {
      stops.add(new Stop(stopStart, middle));
    }
    begun = true;
    last = now;
  }

  /** Returns the stops that have ended, in their order. */
  List<Stop> stops() {
    return List.copyOf(stops);
  }

  /** Returns the time until the last look; 0 before the first one. */
  long millis() {
    return TimeUnit.NANOSECONDS.toMillis(nanos.get());
  }
}
