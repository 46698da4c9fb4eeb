package io.quorate.host;

import io.quorate.FileFailure;
import io.quorate.format.CsvText;
import io.quorate.results.hosts.StepBoundary;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Writes the rows of one target as they are measured. Not for several threads. */
final class MetricsWriter {
  private final Target target;
  private final Machine machine;
  private final Clock clock;
  private final SamplingWarnings remarks;
  private final ProcessGroup processes;
  private final StepRows steps;
  private final Optional<String> device;
  private Optional<MetricRow> before = Optional.empty();
  private long lastNanos;
  private Writer file;

  /** Creates the raw file; once the writer is null, nothing more is written. */
  MetricsWriter(Target target, Machine machine, Clock clock, SamplingWarnings remarks) {
    this.target = target;
    this.machine = machine;
    this.clock = clock;
    this.remarks = remarks;
    this.steps = new StepRows(target.stepsFile());
    this.processes = new ProcessGroup(machine, target.pids());
    this.device = target.dataDirectory().flatMap(BlockDevice::under);
    sayWhatIsMissing();
    try {
      file = Files.newBufferedWriter(target.rawFile(), StandardCharsets.UTF_8);
      write(HostMetric.header(HostMetric.all()));
    } catch (IOException impossible) {
      stop(target.rawFile() + ": cannot be written: " + FileFailure.reason(impossible));
    }
  }

  private void sayWhatIsMissing() {
    target
        .dataDirectory()
        .filter(directory -> device.isEmpty())
        .ifPresent(
            directory ->
                remarks.add(
                    target.name()
                        + ": no disk figures, since "
                        + directory
                        + " is on no block device ("
                        + BlockDevice.fileSystem(directory)
                        + ")"));
    if (target.networkInterface().isEmpty()) {
      remarks.add(target.name() + ": no network figures, since its interface is not known");
    }
  }

  /** Measures now and writes a row, as long as the processes run. */
  void sample() {
    long unixNanos = ChronoUnit.NANOS.between(Instant.EPOCH, clock.instant());
    if (file == null || unixNanos <= lastNanos) {
      return;
    }
    try {
      Optional<Reading> reading = reading(unixNanos, processes.read());
      if (reading.isPresent()) {
        MetricRow row = MetricRow.of(reading.get(), before);
        write(row.cells(HostMetric.all()));
        before = Optional.of(row);
        lastNanos = unixNanos;
      }
    } catch (IOException impossible) {
      stop(target.rawFile() + ": cannot be written: " + FileFailure.reason(impossible));
    } catch (RuntimeException unforeseen) {
      // a run is never given up because its machine could not be looked at
      remarks.add(target.name() + ": a second without host metrics: " + unforeseen);
    }
  }

  /** Measures now and writes a row about this end of a step, as long as the processes run. */
  void sample(int step, StepBoundary boundary) {
    if (file == null) {
      return;
    }
    try {
      long unixNanos = ChronoUnit.NANOS.between(Instant.EPOCH, clock.instant());
      Optional<Reading> reading = reading(unixNanos, processes.read(steps.cpu(boundary)));
      if (reading.isPresent()) {
        steps.add(step, boundary, reading.get());
      }
    } catch (IOException impossible) {
      remarks.add(target.stepsFile() + ": cannot be written: " + FileFailure.reason(impossible));
    } catch (RuntimeException unforeseen) {
      remarks.add(
          "%s: no host metrics at the %s of step %s: %s"
              .formatted(target.name(), boundary.label(), step, unforeseen));
    }
  }

  /**
   * Returns the reading of the target; empty, and nothing more is written, when a process has
   * ended.
   */
  private Optional<Reading> reading(long unixNanos, Optional<ProcessReading> process) {
    if (process.isEmpty()) {
      stop(target.name() + ": a process has ended, no further host metrics");
      return Optional.empty();
    }
    return Optional.of(
        new Reading(
            unixNanos,
            process.get(),
            machine.loads(),
            device.flatMap(machine::disk),
            target.networkInterface().flatMap(machine::network),
            target.extra().get()));
  }

  private void write(String... cells) throws IOException {
    file.write(new CsvText().row(cells).toString());
    file.flush();
  }

  private void stop(String why) {
    remarks.add(why);
    close();
  }

  /** Closes the files. */
  void close() {
    try {
      if (file != null) {
        file.close();
        steps.close();
      }
    } catch (IOException impossible) {
      remarks.add(target.rawFile() + ": cannot be written: " + FileFailure.reason(impossible));
    } finally {
      file = null;
    }
  }

  /**
   * Writes the file with the rows of one target at both ends of each measured step: levels only, so
   * that the work of a step is the row of its end minus that of its beginning. Not for several
   * threads.
   */
  static final class StepRows {
    private static final List<HostMetric> COLUMNS = HostMetric.measured();

    private final Path path;
    private CpuUse cpu = new CpuUse();
    private Writer file;

    StepRows(Path path) {
      this.path = path;
    }

    /** Returns the CPU use of the step that ends; at a beginning, one without a reading. */
    CpuUse cpu(StepBoundary boundary) {
      if (boundary == StepBoundary.BEGIN) {
        cpu = new CpuUse();
      }
      return cpu;
    }

    /** Adds a row; the first one creates the file, replacing an existing one. */
    void add(int step, StepBoundary boundary, Reading reading) throws IOException {
      if (file == null) {
        file = Files.newBufferedWriter(path, StandardCharsets.UTF_8);
        write(Stream.of("STEP", "BOUNDARY"), HostMetric.header(COLUMNS));
      }
      write(
          Stream.of(Integer.toString(step), boundary.label()),
          MetricRow.of(reading, Optional.empty()).cells(COLUMNS));
    }

    private void write(Stream<String> first, String... others) throws IOException {
      String[] cells = Stream.concat(first, Stream.of(others)).toArray(String[]::new);
      file.write(new CsvText().row(cells).toString());
      file.flush();
    }

    void close() throws IOException {
      if (file != null) {
        file.close();
      }
    }
  }
}
