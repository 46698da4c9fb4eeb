// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import io.quorate.DaemonThreads;
import io.quorate.format.CsvText;
import io.quorate.host.ProcessGroup.CpuUse;
import io.quorate.results.RunEvent;
import io.quorate.results.hosts.HostFiles;
import io.quorate.results.hosts.StepBoundary;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Samples the resource use of targets on this machine once a second, at a fixed offset within the
 * second, on a separate thread. A row covers the time since the previous row: the row of second 100
 * covers the second that began at 99. The first row is written at the start. The ends of steps have
 * rows in a separate file. When a process of a target ends, its rows stop. It never fails a run:
 * remarks list what could not be measured.
 */
final class HostSampler implements AutoCloseable {
  /** Interval between looks for stopped processes, which a look each second would not see. */
  private static final long LOOK_MILLIS = 50;

  private final Clock clock;
  private final List<Target> targets;
  private final SamplingWarnings remarks;
  private final Machine machine;
  private final List<MetricsWriter> rows;
  private final OtherProcesses others;
  private final EverySecond thread;
  private final CountDownLatch end = new CountDownLatch(1);
  private boolean closed;

  /**
   * Starts to sample. Takes some tenths of a second, and writes a first row of each target.
   * Existing files are replaced.
   *
   * @param offsetNanos offset after the beginning of each second, less than a second
   * @throws RuntimeException if OSHI does not support this machine
   */
  HostSampler(List<Target> targets, Clock clock, long offsetNanos, SamplingWarnings remarks) {
    this.clock = clock;
    this.targets = List.copyOf(targets);
    this.remarks = remarks;
    this.machine =
        new Machine(
            targets.stream().map(Target::networkInterface).flatMap(Optional::stream).toList());
    this.rows =
        targets.stream().map(target -> new MetricsWriter(target, machine, clock, remarks)).toList();
    this.others = new OtherProcesses(Path.of("/proc"), ownProcesses());
    sample();
    DaemonThreads.start("quorate-stopped-processes", this::lookForStops);
    this.thread = new EverySecond("quorate-host-metrics", clock, offsetNanos, second -> sample());
  }

  /**
   * Returns the processes of the targets, this one, and its parent, which shows the progress of a
   * run.
   */
  private Set<Long> ownProcesses() {
    Set<Long> own =
        targets.stream().flatMap(target -> target.pids().stream()).collect(Collectors.toSet());
    own.add(ProcessHandle.current().pid());
    ProcessHandle.current().parent().map(ProcessHandle::pid).ifPresent(own::add);
    return own;
  }

  private synchronized void sample() {
    refresh();
    OtherProcesses.Busiest busiest = busiestOther();
    Target naming = namesOthers();
    rows.forEach(
        row -> row.sample(row.target == naming ? busiest : OtherProcesses.Busiest.UNKNOWN));
  }

  /** Returns the target whose rows name other processes: this process, otherwise the first. */
  private Target namesOthers() {
    long pid = ProcessHandle.current().pid();
    return targets.stream()
        .filter(target -> target.pids().contains(pid))
        .findFirst()
        .orElseGet(() -> targets.get(0));
  }

  private OtherProcesses.Busiest busiestOther() {
    try {
      return others.busiest();
    } catch (RuntimeException unforeseen) {
      remarks.add("a second without the CPU time of other processes: " + unforeseen);
      return OtherProcesses.Busiest.UNKNOWN;
    }
  }

  /** Returns the stops of processes that have ended, as events. */
  List<RunEvent> stops() {
    long offset = ChronoUnit.NANOS.between(Instant.EPOCH, clock.instant()) - System.nanoTime();
    List<RunEvent> events = new ArrayList<>();
    for (MetricsWriter row : rows) {
      for (StoppedTime.Stop stop :
          row.processes.stopped().map(StoppedTime::stops).orElse(List.of())) {
        events.add(
            new RunEvent(
                RunEvent.Kind.PROCESS_STOPPED,
                row.target.name(),
                0,
                stop.startNanos() + offset,
                stop.endNanos() + offset,
                0,
                ""));
      }
    }
    return events;
  }

  private void lookForStops() {
    List<StoppedTime> processes =
        rows.stream().flatMap(row -> row.processes.stopped().stream()).toList();
    try {
      while (!processes.isEmpty() && !end.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
        processes.forEach(each -> each.look(System.nanoTime()));
      }
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
    }
  }

  private void refresh() {
    try {
      machine.refresh();
    } catch (RuntimeException unforeseen) {
      remarks.add("a second without metrics of the machine: " + unforeseen);
    }
  }

  /** Samples every target at this end of a step, and waits for the rows. From any thread. */
  synchronized void sample(int step, StepBoundary boundary) {
    if (closed) {
      return;
    }
    refresh();
    List<MetricsWriter> order = new ArrayList<>(rows);
    if (boundary == StepBoundary.END) {
      // the load generator is the last target, so that its step excludes the cost of measuring
      Collections.reverse(order);
    }
    order.forEach(row -> row.sample(step, boundary));
  }

  /** Stops sampling. Idempotent; not for several threads. */
  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    thread.close();
    end.countDown();
    rows.forEach(MetricsWriter::close);
  }

  /** Writes the rows of one target as they are measured. Not for several threads. */
  static final class MetricsWriter {
    private final Target target;
    private final Machine machine;
    private final Clock clock;
    private final SamplingWarnings remarks;
    private final ProcessGroup processes;
    private final Optional<String> device;
    private Optional<MetricRow> before = Optional.empty();
    private final GrowingCsv rows;

    /** The rows of the ends of steps; null before the first one. */
    private @Nullable GrowingCsv steps;

    private CpuUse cpuOfStep = new CpuUse();
    private long lastNanos;

    MetricsWriter(Target target, Machine machine, Clock clock, SamplingWarnings remarks) {
      this.target = target;
      this.machine = machine;
      this.clock = clock;
      this.remarks = remarks;
      this.processes = new ProcessGroup(machine, target.pids());
      this.device = target.dataDirectory().flatMap(BlockDevice::under);
      sayWhatIsMissing();
      this.rows = new GrowingCsv(target.rawFile(), remarks, HostMetric.header(HostMetric.all()));
    }

    private void sayWhatIsMissing() {
      target
          .dataDirectory()
          .filter(directory -> device.isEmpty())
          .ifPresent(
              directory ->
                  remarks.add(
                      "%s: no disk metrics, since %s is on no block device (%s)"
                          .formatted(target.name(), directory, BlockDevice.fileSystem(directory))));
      if (target.networkInterface().isEmpty()) {
        remarks.add(target.name() + ": no network metrics, since its interface is unknown");
      }
    }

    /**
     * Measures now and writes a row, as long as the processes run.
     *
     * @param other program outside the run that used most CPU
     */
    void sample(OtherProcesses.Busiest other) {
      if (!rows.isOpen()) {
        return;
      }
      try {
        Optional<Reading> reading = reading(processes.read(), other);
        if (reading.isPresent() && reading.get().unixNanos() > lastNanos) {
          MetricRow row = MetricRow.of(reading.get(), before);
          rows.write(new CsvText().row(row.cells(HostMetric.all())));
          before = Optional.of(row);
          lastNanos = reading.get().unixNanos();
        }
      } catch (RuntimeException unforeseen) {
        // a run never fails because its machine could not be measured
        remarks.add(target.name() + ": a second without host metrics: " + unforeseen);
      }
    }

    /**
     * Measures now and writes a row about this end of a step, as long as the processes run. The row
     * has levels only: the difference of the rows of end and beginning is the work of the step.
     */
    void sample(int step, StepBoundary boundary) {
      if (!rows.isOpen()) {
        return;
      }
      if (boundary == StepBoundary.BEGIN) {
        cpuOfStep = new CpuUse(); // so that the row of a beginning has no deltas
      }
      try {
        Optional<Reading> reading =
            reading(processes.read(cpuOfStep), OtherProcesses.Busiest.UNKNOWN);
        if (reading.isPresent()) {
          add(step, boundary, reading.get());
        }
      } catch (RuntimeException unforeseen) {
        remarks.add(
            "%s: no host metrics at the %s of step %s: %s"
                .formatted(target.name(), boundary.id(), step, unforeseen));
      }
    }

    private void add(int step, StepBoundary boundary, Reading reading) {
      List<HostMetric> columns = HostMetric.measured();
      if (steps == null) {
        steps =
            new GrowingCsv(
                HostFiles.steps(target.rawFile()),
                remarks,
                cells("STEP", "BOUNDARY", HostMetric.header(columns)));
      }
      String[] figures = MetricRow.of(reading, Optional.empty()).cells(columns);
      steps.write(new CsvText().row(cells(Integer.toString(step), boundary.id(), figures)));
    }

    private static String[] cells(String step, String boundary, String... others) {
      return Stream.concat(Stream.of(step, boundary), Stream.of(others)).toArray(String[]::new);
    }

    /**
     * Returns the reading of the target, at the time at which its processes were read; empty from
     * the end of a process on.
     */
    private Optional<Reading> reading(
        Optional<ProcessReading> process, OtherProcesses.Busiest other) {
      if (process.isEmpty()) {
        remarks.add(target.name() + ": a process has ended, no further host metrics");
        close();
        return Optional.empty();
      }
      long ago = System.nanoTime() - process.get().nanoTime();
      return Optional.of(
          new Reading(
              ChronoUnit.NANOS.between(Instant.EPOCH, clock.instant()) - ago,
              process.get(),
              machine.reading(),
              device.flatMap(machine::disk),
              target.networkInterface().flatMap(machine::network),
              other,
              target.extra().get()));
    }

    void close() {
      rows.close();
      if (steps != null) {
        steps.close();
      }
    }
  }
}
