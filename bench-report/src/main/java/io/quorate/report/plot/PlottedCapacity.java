package io.quorate.report.plot;

import java.util.List;

/**
 * The searches for capacities of a run, as far as they can be plotted.
 *
 * @param ofClients whether the load is a number of clients, not a rate
 * @param limits lines at latencies that percentiles have to keep
 * @param statements about the searches, to stand above the card, one line for each
 */
public record PlottedCapacity(
    boolean ofClients, List<Curve> curves, List<LimitLine> limits, List<String> statements) {
  static final PlottedCapacity NONE = new PlottedCapacity(false, List.of(), List.of(), List.of());

  public PlottedCapacity {
    curves = List.copyOf(curves);
    limits = List.copyOf(limits);
    statements = List.copyOf(statements);
  }

  /**
   * The trials below and above one capacity.
   *
   * @param label in the legend
   * @param database number of its database among those that are plotted
   * @param number of the search of that database, from 0
   * @param capacity that held
   * @param known whether that is the outcome of the search
   * @param points by load, ascending
   */
  record Curve(
      String label, int database, int number, long capacity, boolean known, List<Point> points) {
    Curve {
      points = List.copyOf(points);
    }
  }

  /**
   * A trial; NaN is what is not known.
   *
   * @param p99LowMs lower end of the interval of its p99
   * @param p99HighMs upper end of the interval of its p99
   * @param spoiled whether the load generator spoiled it
   */
  record Point(
      double load,
      boolean spoiled,
      double p50Ms,
      double p99Ms,
      double p99LowMs,
      double p99HighMs,
      double p999Ms,
      double achieved,
      double serverCores,
      double loadGeneratorCores) {}

  /** A limit of a percentile or of the slowest. */
  record LimitLine(String label, double ms) {}
}
