package io.quorate.run.capacity;

import com.sun.management.UnixOperatingSystemMXBean;
import io.quorate.run.OpenExperiment;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits, while no load is made, until other processes leave a search most of the processors. What
 * the servers do by themselves counts as the work of others.
 */
final class QuietMachine {
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** From this part of the processors on a machine without load is not quiet. */
  private static final double QUIET = 0.25;

  private static final int QUIET_LOOKS = 2;

  private final OpenExperiment experiment;

  QuietMachine(OpenExperiment experiment) {
    this.experiment = experiment;
  }

  /** Waits, but no longer than this. */
  void await(Duration limit) {
    OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
    if (!(system instanceof UnixOperatingSystemMXBean machine)) {
      return;
    }
    machine.getCpuLoad(); // the next answer is about the time since this one
    int quiet = 0;
    boolean told = false;
    long deadline = System.nanoTime() + limit.toNanos();
    while (quiet < QUIET_LOOKS && System.nanoTime() < deadline && !experiment.isEnding()) {
      LockSupport.parkNanos(LOOK_NANOS);
      double load = machine.getCpuLoad();
      quiet = load < QUIET ? quiet + 1 : 0;
      if (quiet == 0 && !told) {
        experiment.of().say("waiting until other processes need the processors less");
        told = true;
      }
    }
  }
}
