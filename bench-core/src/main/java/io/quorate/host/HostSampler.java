package io.quorate.host;

import io.quorate.QuorateException;
import io.quorate.results.hosts.StepBoundary;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Samples the resource use of targets on this machine once a second, at a fixed offset within the
 * second, on a separate thread. A row covers the time since the previous row: the row of second 100
 * covers the second that began at 99. The first row is written at the start. The ends of steps have
 * rows in a separate file. When a process of a target ends, its rows stop. It never fails a run:
 * remarks list what could not be measured.
 */
final class HostSampler implements AutoCloseable {
  private final List<Target> targets;
  private final SamplingWarnings remarks;
  private final Machine machine;
  private final List<MetricsWriter> rows;
  private final EverySecond thread;
  private boolean closed;

  /**
   * Starts to sample. Takes some tenths of a second, and writes a first row of each target.
   * Existing files are replaced.
   *
   * @param offsetNanos offset after the beginning of each second, less than a second
   * @throws RuntimeException if OSHI does not support this machine
   */
  HostSampler(List<Target> targets, Clock clock, long offsetNanos, SamplingWarnings remarks) {
    this.targets = List.copyOf(targets);
    this.remarks = remarks;
    this.machine =
        new Machine(
            targets.stream().map(Target::networkInterface).flatMap(Optional::stream).toList());
    this.rows =
        targets.stream().map(target -> new MetricsWriter(target, machine, clock, remarks)).toList();
    sample();
    this.thread = new EverySecond("quorate-host-metrics", clock, offsetNanos, second -> sample());
  }

  private synchronized void sample() {
    refresh();
    rows.forEach(MetricsWriter::sample);
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

  /** Stops sampling and writes the interpolated files. Idempotent; not for several threads. */
  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    thread.close();
    rows.forEach(MetricsWriter::close);
    for (Target target : targets) {
      try {
        SecondGrid.write(target.rawFile(), target.interpolatedFile());
      } catch (QuorateException impossible) {
        remarks.add(impossible.getMessage());
      }
    }
  }
}
