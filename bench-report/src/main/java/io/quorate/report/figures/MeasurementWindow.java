// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import io.quorate.results.hosts.HostTimeline;
import java.util.ArrayList;
import java.util.List;

/**
 * The work of a machine in each second of the clients. It covers only the part of the second in
 * which a step was measured, so that the sum over the seconds is the work of the steps.
 */
final class MeasurementWindow implements Aggregation.Server {
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  /** Shortest time with a percentage, as CPU times come in steps of 10 ms. */
  static final long MIN_CPU_NANOS = 100_000_000;

  /**
   * Time by which the last step may end after the last second with a request, and still be part of
   * that second. On a busy machine, the sample at the end of a step comes late.
   */
  private static final long LATE_NANOS = NANOS_PER_SECOND;

  private final HostTimeline machine;
  private final ClientTimeline clients;
  private final List<List<Part>> parts = new ArrayList<>();

  private record Part(long from, long to) {
    long nanos() {
      return to - from;
    }
  }

  MeasurementWindow(HostTimeline machine, ClientTimeline clients) {
    this.machine = machine;
    this.clients = clients;
    for (int row = 0; row < clients.size(); row++) {
      long second = clients.at(row).unixSecond() * NANOS_PER_SECOND;
      long from = row == 0 ? 0 : second;
      long late = row == clients.size() - 1 ? LATE_NANOS : 0;
      parts.add(parts(from, second + NANOS_PER_SECOND + late));
    }
  }

  private List<Part> parts(long from, long to) {
    return machine.steps().stream()
        .map(step -> new Part(Math.max(from, step.beginNanos()), Math.min(to, step.endNanos())))
        .filter(part -> part.nanos() > 0)
        .toList();
  }

  @Override
  public double number(ServerColumn column, int row) {
    return column.number(this, row);
  }

  /** Returns the same server with growths per measured second. */
  Aggregation.Server rates() {
    return (column, row) -> column.rate(this, row);
  }

  boolean isWhole(int row) {
    return parts.get(row).size() == 1 && parts.get(row).get(0).nanos() >= NANOS_PER_SECOND;
  }

  private long nanos(int row) {
    return parts.get(row).stream().mapToLong(Part::nanos).sum();
  }

  /**
   * Returns how long a step was measured in this second; NaN if that was less than a tenth of it.
   */
  double seconds(int row) {
    long nanos = nanos(row);
    return nanos < MIN_CPU_NANOS ? Double.NaN : (double) nanos / NANOS_PER_SECOND;
  }

  /** Returns the growth of a counter; NaN if no step or no counter was measured. */
  double growth(String counter, int row) {
    return parts.get(row).stream()
        .mapToDouble(part -> whole(counter, part.to()) - whole(counter, part.from()))
        .reduce(Double::sum)
        .orElse(Double.NaN);
  }

  /** Returns a level as a whole number, so that the parts of a second add up to the counted sum. */
  private double whole(String counter, long unixNanos) {
    return Math.floor(machine.level(counter, unixNanos));
  }

  /**
   * Returns the CPU use, 100 is one core; NaN if a step was measured for less than a tenth of the
   * second.
   */
  double cpuPercent(int row) {
    double millis =
        parts.get(row).stream()
            .mapToDouble(
                part ->
                    machine.level(ServerColumn.CPU_MILLISECONDS, part.to())
                        - machine.level(ServerColumn.CPU_MILLISECONDS, part.from()))
            .sum();
    return nanos(row) < MIN_CPU_NANOS ? Double.NaN : millis * 1e8 / nanos(row);
  }

  double level(String column, int row) {
    return machine.level(column, end(row));
  }

  double latest(String column, int row) {
    return machine.latest(column, end(row));
  }

  private long end(int row) {
    List<Part> measured = parts.get(row);
    return measured.isEmpty()
        ? (clients.at(row).unixSecond() + 1) * NANOS_PER_SECOND
        : measured.get(measured.size() - 1).to();
  }
}
