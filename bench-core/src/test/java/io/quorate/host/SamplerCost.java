// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import io.quorate.host.HostSampler.MetricsWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;

/**
 * Prints what one sample costs: the time of all targets together, and the CPU time of its thread.
 * Arguments: pids of members; the load generator (this process, with as many threads as one has) is
 * always measured, too. Not a test, since no test depends on speed.
 */
final class SamplerCost {
  private static final int SAMPLES = 600;

  private SamplerCost() {}

  /** See above. */
  public static void main(String... pids) throws InterruptedException {
    for (int i = 0; i < 40; i++) {
      Thread idle = new Thread(() -> park());
      idle.setDaemon(true);
      idle.start();
    }
    Machine machine = new Machine(List.of("lo"));
    OtherProcesses others = new OtherProcesses(Path.of("/proc"), Set.of());
    SamplingWarnings remarks = new SamplingWarnings();
    List<MetricsWriter> rows =
        LongStream.concat(
                Arrays.stream(pids).mapToLong(Long::parseLong),
                LongStream.of(ProcessHandle.current().pid()))
            .mapToObj(SamplerCost::target)
            .map(target -> new MetricsWriter(target, machine, Clock.systemUTC(), remarks))
            .toList();
    for (int round = 0; round < 3; round++) {
      long[] nanos = new long[SAMPLES];
      long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      for (int i = 0; i < SAMPLES; i++) {
        long start = System.nanoTime();
        machine.refresh();
        OtherProcesses.Busiest busiest = others.busiest();
        rows.forEach(row -> row.sample(busiest));
        nanos[i] = System.nanoTime() - start;
        Thread.sleep(10);
      }
      cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpu;
      Arrays.sort(nanos);
      System.out.println(
          rows.size()
              + " targets: median "
              + nanos[SAMPLES / 2] / 1_000
              + " us, p99 "
              + nanos[SAMPLES * 99 / 100] / 1_000
              + " us, CPU "
              + cpu / SAMPLES / 1_000
              + " us a sample = "
              + cpu / SAMPLES / 1e7
              + " % of a core at 1 Hz");
    }
    remarks.all().forEach(System.out::println);
  }

  private static void park() {
    LockSupport.park();
  }

  private static Target target(long pid) {
    Path file = Path.of(System.getProperty("java.io.tmpdir"), "cost-" + pid + ".csv");
    file.toFile().deleteOnExit();
    return new Target(
        "pid " + pid,
        List.of(pid),
        Optional.of(file.getParent()),
        Optional.of("lo"),
        () -> "1",
        file);
  }
}
