package io.quorate.host;

import io.quorate.QuorateException;
import io.quorate.results.hosts.StepBoundary;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Samples the resource use of targets on this machine once a second, on the second or always as
 * long after it, on one separate thread. A row is about the time since the row before, so that of
 * second 100 about the second that began at 99; the first row is written at the start. The ends of
 * steps have rows in a separate file. When a process of a target ends, its rows stop. Nothing here
 * throws into a run: what could not be measured is remarked.
 */
final class HostSampler implements AutoCloseable {
  private final List<Target> targets;
  private final SamplingWarnings remarks;
  private final Machine machine;
  private final List<MetricsWriter> rows;
  private final EverySecond thread;
  private boolean closed;

  /**
   * Starts to sample. Takes some tenths of a second, and there is a first row of each target then.
   * Files that are there are replaced.
   *
   * @param offsetNanos after the beginning of each second, less than a second
   * @throws RuntimeException if OSHI does not know this machine at all
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
      // the load generator is the last target: what measuring costs it is not in the step
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
