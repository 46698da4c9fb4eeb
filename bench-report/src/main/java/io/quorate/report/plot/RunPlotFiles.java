// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot;

import io.quorate.VisibleText;
import io.quorate.format.OutputFiles;
import io.quorate.report.doctor.Diagnosis;
import io.quorate.report.figures.ClientTimeline;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.figures.Frame;
import io.quorate.report.figures.HostAnalysis;
import io.quorate.report.figures.KeyNumberFiles;
import io.quorate.report.figures.RequestFigures;
import io.quorate.report.figures.RunFigures;
import io.quorate.report.figures.outage.FaultFigures;
import io.quorate.report.plot.draw.DatabaseSeries;
import io.quorate.report.plot.draw.DatabaseSeries.Distribution;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.DatabaseRun;
import io.quorate.results.latency.LatencyTag;
import io.quorate.results.requests.ErrorRow;
import io.quorate.results.requests.WatchRow;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/**
 * Creates the directory {@code plots} of a run of Quorate: every plot as SVG and PNG, and its data
 * as CSV.
 */
public final class RunPlotFiles {
  /** Column of requests that failed, in the second in which they were sent. */
  private static final String FAILED = "FAILED-REQUESTS";

  private static final List<LatencyTag.Time> EVENT_TIMES =
      List.of(LatencyTag.Time.FIRST, LatencyTag.Time.MEDIAN, LatencyTag.Time.LAST);

  private RunPlotFiles() {}

  /**
   * Draws all plots.
   *
   * @param diagnoses diagnosis of each database that has one, by its id
   */
  public static RunPlots draw(RunFigures run, Map<String, Diagnosis> diagnoses, OutputFiles files) {
    return draw(run, diagnoses, false, files);
  }

  /** Draws the plots that show all databases, and not those of one database each. */
  public static RunPlots drawTogether(RunFigures run, OutputFiles files) {
    return draw(run, Map.of(), true, files);
  }

  /**
   * Draws all plots without files.
   *
   * @param diagnoses diagnosis of each database that has one, by its id
   */
  public static RunPlots drawOnly(RunFigures run, Map<String, Diagnosis> diagnoses) {
    return RunPlots.draw(data(run, diagnoses, false));
  }

  private static RunPlots draw(
      RunFigures run, Map<String, Diagnosis> diagnoses, boolean together, OutputFiles files) {
    Path directory = run.run().directory().plots();
    PlotData data = data(run, diagnoses, together);
    if (!data.databases().isEmpty()) {
      boolean steps = data.databases().stream().anyMatch(RunPlotFiles::hasNumbersOfLoad);
      new PlotCsvFiles("", data.databases(), (name, csv) -> files.add(directory.resolve(name), csv))
          .write(RunPlots.columns(), steps);
    }
    return RunPlots.draw(
        data, together, (name, content) -> files.add(directory.resolve(name), content));
  }

  private static PlotData data(RunFigures run, Map<String, Diagnosis> diagnoses, boolean together) {
    List<DatabaseSeries> plotted = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    Map<DatabaseDirectory, String> tags = new LinkedHashMap<>();
    boolean failures = run.compared().stream().anyMatch(RunPlotFiles::hasFailures);
    for (DatabaseFigures database : run.databases()) {
      Optional<ClientTimeline> clients = database.host().flatMap(HostAnalysis::clients);
      clients.ifPresentOrElse(
          known -> {
            DatabaseSeries figures = plotted(database, known, failures, together);
            plotted.add(figures);
            tags.put(database.run().directory(), figures.name());
          },
          () -> missing.add(missing(database)));
    }
    return new PlotData(
        DatabaseSeries.aligned(plotted),
        missing,
        CapacitySeries.of(run, tags),
        faults(run),
        diagnoses);
  }

  private static Map<String, FaultFigures> faults(RunFigures run) {
    Map<String, FaultFigures> faults = new LinkedHashMap<>();
    for (DatabaseFigures each : run.databases()) {
      each.faults().ifPresent(known -> faults.put(each.run().manifest().store().id(), known));
    }
    return faults;
  }

  private static boolean hasFailures(DatabaseFigures database) {
    return database.host().flatMap(HostAnalysis::clients).isPresent()
        && database.total().orElseThrow().errorCount() > 0;
  }

  private static String missing(DatabaseFigures figures) {
    DatabaseRun database = figures.run();
    String why =
        figures.steps().stream().allMatch(step -> step.seconds().isEmpty())
            ? "no request"
            : database.manifest().statusText();
    return VisibleText.of(database.manifest().store().tag()) + " (" + why + ")";
  }

  private static DatabaseSeries plotted(
      DatabaseFigures figures, ClientTimeline clients, boolean failures, boolean together) {
    HostAnalysis host = figures.host().orElseThrow();
    String tag = VisibleText.of(figures.run().manifest().store().tag());
    Frame seconds = host.seconds();
    for (var course : host.courses().entrySet()) {
      seconds = seconds.with(course.getKey().title(), course.getValue());
    }
    return new DatabaseSeries(
        figures.run().manifest().store().id(),
        tag,
        // the columns of a comparison show the same databases
        together ? tag : figures.name(),
        List.of(),
        clients.first(),
        clients.seconds(),
        figures.steps().stream().filter(step -> !step.seconds().isEmpty()).toList(),
        failures
            ? seconds.with(
                FAILED, failures(clients, figures.run().clients().orElseThrow().errorRows()))
            : seconds,
        KeyNumberFiles.latency(figures.steps()),
        host.serversByKey(),
        figures.run().latencies().intervals(),
        distributions(figures),
        watches(figures.run()),
        figures.run().events());
  }

  /** Returns whether there are several steps of a closed loop; others have rates instead. */
  private static boolean hasNumbersOfLoad(DatabaseSeries database) {
    return database.steps().stream().filter(step -> !step.asked().isOpen()).count() > 1;
  }

  /**
   * Returns the response times of each operation, and in an open loop the service times as well.
   */
  private static List<Distribution> distributions(DatabaseFigures database) {
    List<Distribution> all = new ArrayList<>();
    int number = 0;
    for (RequestFigures each : database.operations()) {
      Optional<String> name = each.operation().filter(any -> database.operations().size() > 1);
      all.add(new Distribution(name, number, false, each.response()));
      all.add(new Distribution(name, number++, true, each.service()));
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
                    database.latencies().together(LatencyTag.of(row.step(), time)::equals);
                String who = time.name().toLowerCase(Locale.ROOT);
                all.add(new Distribution(Optional.of(who), all.size(), false, nanos));
              }
            });
    return all;
  }

  /**
   * Returns the failures per second, over the covered time: 0 in seconds without failures, and
   * missing in a pause between steps.
   */
  private static double[] failures(ClientTimeline clients, List<ErrorRow> rows) {
    double[] counts =
        clients.seconds().stream().mapToDouble(each -> each.requested() ? 0 : Double.NaN).toArray();
    for (ErrorRow row : rows) {
      long second = row.unixSecond() - clients.first();
      if (second >= 0 && second < counts.length) {
        counts[(int) second] =
            (Double.isNaN(counts[(int) second]) ? 0 : counts[(int) second]) + row.count();
      }
    }
    return clients.rates(counts);
  }
}
