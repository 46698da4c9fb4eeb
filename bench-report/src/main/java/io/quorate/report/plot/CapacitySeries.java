// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot;

import io.quorate.ByteSize;
import io.quorate.capacity.SearchResult;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.figures.RunFigures;
import io.quorate.report.judge.Sample;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.DatabaseRun;
import io.quorate.results.capacity.PercentileInterval;
import io.quorate.results.capacity.SearchRecord;
import io.quorate.results.capacity.TrialRow;
import io.quorate.scenario.SloLimit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * The searches for capacities of a run, as far as they can be plotted.
 *
 * @param ofClients whether the load is a number of clients, not a rate
 * @param limits limits of percentiles or of the slowest request
 */
public record CapacitySeries(boolean ofClients, List<Curve> curves, Set<SloLimit> limits) {
  private static final double NANOS_PER_MS = 1e6;

  static final CapacitySeries NONE = new CapacitySeries(false, List.of(), Set.of());

  /**
   * The trials below and above one capacity.
   *
   * @param label label in the legend
   * @param database number of its database among the plotted ones
   * @param number number of the search of that database, from 0
   * @param capacity load that held
   * @param known whether the capacity is the outcome of the search, a trial of it passed, and the
   *     results may be used
   * @param points points by load, ascending
   */
  record Curve(
      String label, int database, int number, long capacity, boolean known, List<Point> points) {}

  /**
   * The trials of one load: medians, and the interval that covers the trials' intervals. Unknown
   * values are NaN.
   */
  record Point(List<TrialRow> trials) {
    double load() {
      return trials.get(0).load();
    }

    boolean spoiled() {
      return trials.get(0).isSpoiled();
    }

    double p99LowMs() {
      return intervals(PercentileInterval::lowNanos).min().orElse(Double.NaN);
    }

    double p99HighMs() {
      return intervals(PercentileInterval::highNanos).max().orElse(Double.NaN);
    }

    private DoubleStream intervals(ToLongFunction<PercentileInterval> end) {
      return trials.stream()
          .flatMap(row -> row.latencies().p99Interval().stream())
          .mapToDouble(each -> end.applyAsLong(each) / NANOS_PER_MS);
    }

    /** Returns the median of a value of the trials, without those that are NaN. */
    double median(ToDoubleFunction<TrialRow> figure) {
      return Sample.median(
          trials.stream().mapToDouble(figure).filter(value -> !Double.isNaN(value)).toArray());
    }
  }

  static CapacitySeries of(RunFigures run, Map<DatabaseDirectory, String> tags) {
    List<Curve> curves = new ArrayList<>();
    Set<SloLimit> limits = new LinkedHashSet<>();
    boolean ofClients = false;
    int plotted = 0;
    for (DatabaseFigures figures : run.databases()) {
      DatabaseRun database = figures.run();
      if (tags.containsKey(database.directory())) {
        int number = 0;
        for (SearchRecord search : database.searches()) {
          curve(tags.get(database.directory()), plotted, number++, search, figures)
              .ifPresent(curves::add);
          search.header().limits().stream()
              .filter(limit -> limit.quantity().isLatency())
              .forEach(limits::add);
          ofClients |= search.header().ofClients();
        }
        plotted++;
      }
    }
    return new CapacitySeries(ofClients, curves, limits);
  }

  private static Optional<Curve> curve(
      String tag, int database, int number, SearchRecord search, DatabaseFigures figures) {
    long more = search.header().preloadBytes();
    return search
        .conclusion()
        .flatMap(SearchResult::holds)
        .map(
            bound ->
                new Curve(
                    more == 0 ? tag : tag + " and " + ByteSize.text(more) + " more",
                    database,
                    number,
                    bound.load(),
                    search.conclusion().get().isKnown()
                        && bound.passed() > 0
                        && figures.disturbance().isEmpty(),
                    points(search, bound.load())));
  }

  /**
   * Returns the points of a curve; the point of the capacity shows the trials that decided about
   * it.
   */
  private static List<Point> points(SearchRecord search, long capacity) {
    List<TrialRow> deciding = search.deciding(capacity);
    return Stream.concat(
            search.curvePoints().stream()
                .filter(row -> deciding.isEmpty() || row.load() != capacity)
                .map(row -> new Point(List.of(row))),
            deciding.isEmpty() ? Stream.empty() : Stream.of(new Point(deciding)))
        .sorted(Comparator.comparingDouble(Point::load))
        .toList();
  }
}
