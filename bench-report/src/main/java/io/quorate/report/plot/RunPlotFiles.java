package io.quorate.report.plot;

import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import io.quorate.format.OutputFiles;
import io.quorate.report.figures.ClientTimeline;
import io.quorate.report.figures.HostAnalysis;
import io.quorate.report.figures.PlotFrames;
import io.quorate.report.figures.StepFigures;
import io.quorate.report.plot.draw.PlottedDatabase;
import io.quorate.report.plot.draw.PlottedDatabase.Columns;
import io.quorate.report.plot.draw.PlottedDatabase.Distribution;
import io.quorate.report.plot.draw.PlottedDatabase.Step;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.DatabaseRun;
import io.quorate.results.ExperimentRun;
import io.quorate.results.latency.LatencyTag;
import io.quorate.results.requests.ClientResults;
import io.quorate.results.requests.ClientResults.Second;
import io.quorate.results.requests.ErrorRow;
import io.quorate.results.requests.WatchRow;
import io.quorate.scenario.LoadModel;
import io.quorate.scenario.OperationMix;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;

/**
 * Creates the directory {@code plots} of a run of ours: every plot as SVG and PNG, and its data as
 * CSV.
 */
public final class RunPlotFiles {
  /** Column of requests that failed, in the second in which they were sent. */
  private static final String FAILED = "FAILED-REQUESTS";

  private static final List<LatencyTag.Time> EVENT_TIMES =
      List.of(LatencyTag.Time.FIRST, LatencyTag.Time.MEDIAN, LatencyTag.Time.LAST);

  private final ExperimentRun run;
  private final Map<DatabaseDirectory, HostAnalysis> hosts;

  /**
   * @param hosts those of the databases that are plotted
   */
  public RunPlotFiles(ExperimentRun run, Map<DatabaseDirectory, HostAnalysis> hosts) {
    this.run = run;
    this.hosts = hosts;
  }

  /**
   * Draws the plots.
   *
   * @param files to which they are added
   */
  public RunPlots draw(OutputFiles files) {
    Path directory = run.directory().plots();
    List<PlotFrames> frames = new ArrayList<>();
    List<PlottedDatabase> plotted = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    Map<DatabaseDirectory, String> tags = new LinkedHashMap<>();
    boolean failures = run.databases().stream().anyMatch(this::hasFailures);
    for (DatabaseRun database : run.databases()) {
      Optional<PlotFrames> plottable = plottable(database);
      plottable.ifPresentOrElse(frames::add, () -> missing.add(missing(database)));
      plottable.ifPresent(known -> plotted.add(plotted(known, database, failures)));
      plottable.ifPresent(known -> tags.put(database.directory(), known.tag()));
    }
    if (!frames.isEmpty()) {
      boolean steps = plotted.stream().anyMatch(RunPlotFiles::hasNumbersOfLoad);
      new PlotCsvFiles("", frames, (name, csv) -> files.add(directory.resolve(name), csv))
          .write(RunPlots.columns(), steps);
    }
    return RunPlots.draw(
        new PlottedRun(plotted, missing, new PlottedSearches(run).capacity(tags)),
        (name, content) -> files.add(directory.resolve(name), content));
  }

  /**
   * Returns the figures to plot; empty for a run that is not complete, as in the table, or in which
   * there was no request.
   */
  private Optional<PlotFrames> plottable(DatabaseRun database) {
    return Optional.ofNullable(hosts.get(database.directory())).flatMap(HostAnalysis::plotFrames);
  }

  private boolean hasFailures(DatabaseRun database) {
    return plottable(database).isPresent() && database.clients().orElseThrow().errorCount() > 0;
  }

  private static String missing(DatabaseRun database) {
    String why =
        database.clients().map(results -> results.seconds().isEmpty()).orElse(true)
            ? "no request"
            : database.manifest().status().label();
    return VisibleText.of(database.manifest().store().tag()) + " (" + why + ")";
  }

  private static PlottedDatabase plotted(
      PlotFrames frames, DatabaseRun database, boolean failures) {
    ClientResults results = database.clients().orElseThrow();
    PlottedDatabase known = PlottedDatabase.of(frames);
    Map<String, double[]> columns = new LinkedHashMap<>(known.seconds().values());
    if (failures) {
      columns.put(FAILED, failures(frames.clients(), results.errorRows()));
    }
    return new PlottedDatabase(
        known.id(),
        known.tag(),
        known.firstSecond(),
        steps(database, results.seconds()),
        new Columns(known.seconds().x(), columns),
        known.latencyByKey(),
        known.serversByKey(),
        database.latencies().intervals(),
        distributions(database),
        watches(database));
  }

  /** Returns whether there are several steps of a closed loop; others have rates instead. */
  private static boolean hasNumbersOfLoad(PlottedDatabase database) {
    return database.steps().stream().filter(step -> step.ratePerSecond().isEmpty()).count() > 1;
  }

  /** Returns the response times of each operation, and in an open loop the service times, too. */
  private static List<Distribution> distributions(DatabaseRun database) {
    OperationMix mix = database.manifest().load().mix();
    List<Distribution> all = new ArrayList<>();
    for (int i = 0; i < mix.operations().size(); i++) {
      String operation = mix.operations().get(i).id();
      Optional<String> name = mix.isSingle() ? Optional.empty() : Optional.of(operation);
      for (LatencyTag.Time time : List.of(LatencyTag.Time.RESPONSE, LatencyTag.Time.SERVICE)) {
        Histogram nanos =
            database
                .latencies()
                .together(
                    tag -> tag.time() == time && tag.operation().equals(Optional.of(operation)));
        all.add(new Distribution(name, i, time == LatencyTag.Time.SERVICE, nanos));
      }
    }
    return all;
  }

  /** Returns the watch latencies of the step with the most watchers. */
  private static List<Distribution> watches(DatabaseRun database) {
    List<Distribution> all = new ArrayList<>();
    database.watches().stream()
        .max(Comparator.comparingInt(WatchRow::watchers))
        .ifPresent(
            row -> {
              for (LatencyTag.Time time : EVENT_TIMES) {
                Histogram nanos =
                    database.latencies().together(LatencyTag.watch(row.step(), time)::equals);
                all.add(new Distribution(Optional.of(who(time, row)), all.size(), false, nanos));
              }
            });
    return all;
  }

  private static String who(LatencyTag.Time time, WatchRow row) {
    return "%s of %s watcher%s"
        .formatted(
            time.name().toLowerCase(Locale.ROOT),
            NumberFormats.commas(row.watchers()),
            row.watchers() == 1 ? "" : "s");
  }

  /**
   * Returns the failures per second, over the time that was covered: 0 in seconds with requests of
   * which none failed, and missing in a pause between steps.
   */
  private static double[] failures(ClientTimeline clients, List<ErrorRow> rows) {
    double[] counts = new double[clients.size()];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = clients.at(i).requested() ? 0 : Double.NaN;
    }
    for (ErrorRow row : rows) {
      long second = row.unixSecond() - clients.first();
      if (second >= 0 && second < counts.length) {
        counts[(int) second] =
            (Double.isNaN(counts[(int) second]) ? 0 : counts[(int) second]) + row.count();
      }
    }
    return clients.rates(counts);
  }

  private static List<Step> steps(DatabaseRun database, List<Second> rows) {
    return StepFigures.of(database).stream()
        .filter(step -> !step.seconds().isEmpty())
        .map(step -> step(rows, step.seconds(), step.durationSeconds(), rate(step.asked())))
        .toList();
  }

  private static OptionalLong rate(io.quorate.scenario.Step asked) {
    return asked.model() instanceof LoadModel.Open open
        ? OptionalLong.of(open.ratePerSecond())
        : OptionalLong.empty();
  }

  private static Step step(
      List<Second> all,
      List<Second> step,
      OptionalDouble durationSeconds,
      OptionalLong ratePerSecond) {
    return new Step(
        step.get(0).unixSecond() - all.get(0).unixSecond(),
        step.get(0).clients(),
        step.stream().mapToDouble(Second::throughput).toArray(),
        step.stream()
            .mapToDouble(each -> each.throughput() > 0 ? each.averageMs() : Double.NaN)
            .toArray(),
        durationSeconds,
        ratePerSecond);
  }
}
