package io.quorate.report.plot;

import io.quorate.VisibleText;
import io.quorate.capacity.Conclusion;
import io.quorate.report.figures.CapacityStatement;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.DatabaseRun;
import io.quorate.results.ExperimentRun;
import io.quorate.results.capacity.PercentileInterval;
import io.quorate.results.capacity.SearchRecord;
import io.quorate.results.capacity.TrialLatencies;
import io.quorate.results.capacity.TrialRow;
import io.quorate.results.manifest.HostFacts;
import io.quorate.results.manifest.ServerFacts;
import io.quorate.scenario.CapacityGoal;
import io.quorate.scenario.Limit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** Takes what is plotted of searches for capacities from the files of a run. */
final class PlottedSearches {
  private static final double NANOS_PER_MS = 1e6;

  private final ExperimentRun run;

  PlottedSearches(ExperimentRun run) {
    this.run = run;
  }

  /**
   * Returns the searches.
   *
   * @param tags of the databases that are plotted, in their order
   */
  PlottedCapacity capacity(Map<DatabaseDirectory, String> tags) {
    List<PlottedCapacity.Curve> curves = new ArrayList<>();
    Map<String, PlottedCapacity.LimitLine> limits = new LinkedHashMap<>();
    List<String> statements = new ArrayList<>();
    boolean ofClients = false;
    int plotted = 0;
    for (DatabaseRun database : run.databases()) {
      CapacityStatement.all(database)
          .forEach(each -> statements.add(each.headline() + "; " + each.gaveWay()));
      if (tags.containsKey(database.directory())) {
        int number = 0;
        for (SearchRecord search : database.searches()) {
          curve(tags.get(database.directory()), plotted, number++, search).ifPresent(curves::add);
          search.header().limits().forEach(limit -> addLimit(limit, limits));
          ofClients |= search.header().load().equals(SearchRecord.CLIENTS);
        }
        plotted++;
      }
    }
    if (!statements.isEmpty()) {
      statements.add(machine());
    }
    return new PlottedCapacity(ofClients, curves, List.copyOf(limits.values()), statements);
  }

  private static Optional<PlottedCapacity.Curve> curve(
      String tag, int database, int number, SearchRecord search) {
    long more = search.header().preloadBytes();
    return search
        .conclusion()
        .flatMap(Conclusion::holds)
        .map(
            bound ->
                new PlottedCapacity.Curve(
                    more == 0
                        ? tag
                        : tag + " and " + CapacityGoal.PreloadSizes.text(more) + " more",
                    database,
                    number,
                    bound.load(),
                    search.conclusion().get().isKnown(),
                    points(search, bound.load())));
  }

  /** Returns the points of a curve; that of the capacity shows the trials that decided about it. */
  private static List<PlottedCapacity.Point> points(SearchRecord search, long capacity) {
    List<TrialRow> deciding = search.deciding(capacity);
    return Stream.concat(
            search.curvePoints().stream()
                .filter(row -> deciding.isEmpty() || row.load() != capacity)
                .map(PlottedSearches::point),
            deciding.isEmpty() ? Stream.empty() : Stream.of(together(deciding)))
        .sorted(Comparator.comparingDouble(PlottedCapacity.Point::load))
        .toList();
  }

  /**
   * Returns the medians of trials of one load, and the interval that covers all their intervals.
   */
  private static PlottedCapacity.Point together(List<TrialRow> trials) {
    List<PlottedCapacity.Point> points = trials.stream().map(PlottedSearches::point).toList();
    return new PlottedCapacity.Point(
        points.get(0).load(),
        false,
        median(points, PlottedCapacity.Point::p50Ms),
        median(points, PlottedCapacity.Point::p99Ms),
        known(points, PlottedCapacity.Point::p99LowMs).min().orElse(Double.NaN),
        known(points, PlottedCapacity.Point::p99HighMs).max().orElse(Double.NaN),
        median(points, PlottedCapacity.Point::p999Ms),
        median(points, PlottedCapacity.Point::achieved),
        median(points, PlottedCapacity.Point::serverCores),
        median(points, PlottedCapacity.Point::loadGeneratorCores));
  }

  private static double median(
      List<PlottedCapacity.Point> points, ToDoubleFunction<PlottedCapacity.Point> figure) {
    double[] values = known(points, figure).sorted().toArray();
    return values.length == 0
        ? Double.NaN
        : (values[(values.length - 1) / 2] + values[values.length / 2]) / 2;
  }

  private static DoubleStream known(
      List<PlottedCapacity.Point> points, ToDoubleFunction<PlottedCapacity.Point> figure) {
    return points.stream().mapToDouble(figure).filter(value -> !Double.isNaN(value));
  }

  private static PlottedCapacity.Point point(TrialRow row) {
    boolean measured = row.measuredSeconds() > 0;
    TrialLatencies latencies = row.latencies();
    Optional<PercentileInterval> interval = latencies.p99Interval();
    return new PlottedCapacity.Point(
        row.load(),
        row.isSpoiled(),
        ms(latencies.p50Nanos()),
        ms(latencies.p99Nanos()),
        interval.map(ends -> ends.lowNanos() / NANOS_PER_MS).orElse(Double.NaN),
        interval.map(ends -> ends.highNanos() / NANOS_PER_MS).orElse(Double.NaN),
        ms(latencies.p999Nanos()),
        measured && row.succeededPerSecond() > 0 ? row.succeededPerSecond() : Double.NaN,
        row.serverCores().orElse(Double.NaN),
        row.loadGeneratorCores());
  }

  private static double ms(OptionalLong nanos) {
    return nanos.isPresent() ? nanos.getAsLong() / NANOS_PER_MS : Double.NaN;
  }

  private static void addLimit(String text, Map<String, PlottedCapacity.LimitLine> limits) {
    Limit.parse(text)
        .filter(limit -> limit.quantity().isLatency())
        .ifPresent(
            limit ->
                limits.put(
                    limit.toString(),
                    new PlottedCapacity.LimitLine(
                        limit.toString(), limit.baseNumber().doubleValue())));
  }

  /** Returns on what it was measured. */
  private String machine() {
    HostFacts host = run.databases().get(0).manifest().host();
    boolean here =
        run.databases().stream()
            .allMatch(
                each ->
                    each.manifest()
                        .store()
                        .servers()
                        .hosting()
                        .filter(ServerFacts.Hosting.LOCAL::equals)
                        .isPresent());
    return VisibleText.of(
        "Measured with %d processors, %s%s; run %s"
            .formatted(
                host.cores(),
                host.os(),
                here ? ", shared by servers and load generator" : "",
                run.directory().id()));
  }
}
