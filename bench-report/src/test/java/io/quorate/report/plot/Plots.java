// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot;

import io.quorate.measure.GeneratorDelay;
import io.quorate.report.figures.Basis;
import io.quorate.report.figures.ClientSecond;
import io.quorate.report.figures.Frame;
import io.quorate.report.figures.RequestFigures;
import io.quorate.report.figures.StepFigures;
import io.quorate.report.plot.draw.DatabaseSeries;
import io.quorate.scenario.Step;
import io.quorate.scenario.Steps;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/** Values to be plotted, and what is drawn of them. */
final class Plots {
  private Plots() {}

  /** Two steps, a second without a value, and the columns of one server. */
  static DatabaseSeries database(String id, String tag, double factor) {
    double[] missing = {factor, 2 * factor, Double.NaN, 4 * factor, 5 * factor, 6 * factor};
    Frame seconds =
        new Frame(6)
            .add("AVG-THROUGHPUT", missing, 2)
            .add("AVG-LATENCY-MS", missing, 2)
            .add("AVG-CPU", missing, 2);
    Frame keys =
        new Frame(3)
            .add("KEYS", new double[] {1000, 2000, 2500}, 0)
            .add("MIN-LATENCY-MS", new double[] {1, 1, 1}, 2)
            .add("AVG-LATENCY-MS", new double[] {2 * factor, 3 * factor, 4 * factor}, 2)
            .add("MAX-LATENCY-MS", new double[] {20, 30, 40}, 2);
    Histogram latencies = new Histogram(3);
    for (int i = 1; i < 5000; i++) {
      latencies.recordValue((long) (i * 1000L * factor));
    }
    return new DatabaseSeries(
        id,
        tag,
        tag,
        List.of(),
        1_000_000,
        List.of(),
        List.of(
            step(Steps.closed(1, 1, 60), 1_000_000, new double[] {1, 2, 3}, 10, 20, 30),
            step(Steps.closed(50, 50, 150), 1_000_003, new double[] {4, 5, 6}, 40, 50, 60)),
        seconds,
        keys,
        new Frame(0),
        List.of(),
        List.of(new DatabaseSeries.Distribution(Optional.empty(), 0, false, latencies)),
        List.of(),
        List.of());
  }

  /** Returns a step of three seconds with these mean latencies and numbers of successes. */
  static StepFigures step(Step asked, long firstSecond, double[] ms, long... successes) {
    Histogram none = new Histogram(3);
    List<ClientSecond> seconds = new ArrayList<>();
    for (int i = 0; i < ms.length; i++) {
      seconds.add(
          new ClientSecond(
              firstSecond + i,
              asked.clients(),
              ms[i],
              ms[i],
              ms[i],
              OptionalLong.of(successes[i]),
              1,
              true));
    }
    return new StepFigures(
        1,
        asked,
        new RequestFigures(
            Optional.empty(),
            Optional.empty(),
            OptionalDouble.of(3),
            none,
            none,
            none,
            new GeneratorDelay(none, none),
            Optional.empty(),
            Basis.UNKNOWN),
        List.of(),
        List.of(),
        seconds,
        OptionalDouble.of(3),
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        Map.of(),
        Map.of(),
        Map.of(),
        0,
        Optional.empty(),
        Optional.empty(),
        OptionalDouble.empty());
  }

  static PlotData run(DatabaseSeries... databases) {
    return new PlotData(List.of(databases), List.of());
  }

  /** Every file by its name. */
  static SortedMap<String, byte[]> files(PlotData run) {
    SortedMap<String, byte[]> files = new TreeMap<>();
    RunPlots.draw(run, false, files::put);
    return files;
  }

  /** Every SVG by its name. */
  static Map<String, String> svgs(PlotData run) {
    return RunPlots.draw(run).drawn().stream().collect(Collectors.toMap(Plot::name, Plot::svg));
  }
}
