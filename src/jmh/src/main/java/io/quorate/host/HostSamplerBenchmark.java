// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import io.quorate.host.HostSampler.MetricsWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Measures the cost of sampling host metrics, as a run does once a second. One target is the load
 * generator; four targets include three members of a cluster. All targets are this process, which
 * has more threads than most servers.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class HostSamplerBenchmark {
  @Param({"1", "4"})
  public int targets;

  private Path directory;
  private Machine machine;
  private OtherProcesses others;
  private final List<MetricsWriter> rows = new ArrayList<>();

  @Setup
  public void start() throws IOException {
    directory = Files.createTempDirectory("quorate-jmh");
    machine = new Machine(List.of("lo"));
    others = new OtherProcesses(Path.of("/proc"), Set.of());
    for (int i = 0; i < targets; i++) {
      Target target =
          new Target(
              "target " + i,
              List.of(ProcessHandle.current().pid()),
              Optional.of(directory),
              Optional.of("lo"),
              () -> "1000",
              raw(i));
      rows.add(new MetricsWriter(target, machine, Clock.systemUTC(), new SamplingWarnings()));
    }
  }

  private Path raw(int target) {
    return directory.resolve(target + ".csv");
  }

  @TearDown
  public void stop() throws IOException {
    rows.forEach(MetricsWriter::close);
    rows.clear();
    for (int i = 0; i < targets; i++) {
      Files.delete(raw(i));
    }
    Files.delete(directory);
  }

  @Benchmark
  public void oneSecond() {
    machine.refresh();
    OtherProcesses.Busiest busiest = others.busiest();
    rows.forEach(row -> row.sample(busiest));
  }
}
