// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot;

import io.quorate.format.CsvText;
import io.quorate.format.NumberFormats;
import io.quorate.report.figures.AggregatedColumn;
import io.quorate.report.figures.ClientSecond;
import io.quorate.report.figures.Frame;
import io.quorate.report.figures.StepFigures;
import io.quorate.report.plot.draw.DatabaseSeries;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Writes the CSV files with the data of the plots, with the reference's names. Its rules are for
 * runs of Quorate; a subclass may have other rules.
 */
public class PlotCsvFiles {
  private static final String CLIENTS = AggregatedColumn.CONTROL_CLIENT_NUM.title();
  private static final Set<String> LATENCIES =
      Set.of(
          AggregatedColumn.MIN_LATENCY_MS.title(),
          AggregatedColumn.AVG_LATENCY_MS.title(),
          AggregatedColumn.MAX_LATENCY_MS.title());

  private final String directory;
  private final List<DatabaseSeries> databases;
  private final BiConsumer<String, String> output;

  /**
   * Creates a writer.
   *
   * @param directory directory of the files, as in a configuration of the reference
   * @param output receives each file by its path
   */
  protected PlotCsvFiles(
      String directory, List<DatabaseSeries> databases, BiConsumer<String, String> output) {
    this.directory = directory;
    this.databases = databases;
    this.output = output;
  }

  /**
   * Writes the files of all plots that have a value.
   *
   * @param steps whether there are several numbers of clients
   */
  public void write(List<String> columns, boolean steps) {
    byKey("AVG-LATENCY-MS", "LATENCY-MS", DatabaseSeries::latencyByKey);
    byKey("AVG-VMRSS-MB", "VMRSS-MB", DatabaseSeries::serversByKey);
    bytesByKey("AVG-READ-BYTES", DatabaseSeries::serversByKey);
    bytesByKey("AVG-WRITE-BYTES", DatabaseSeries::serversByKey);
    for (String column : columns.stream().distinct().filter(this::isKnown).toList()) {
      write(column, beside(List.of(column), DatabaseSeries::seconds));
      write(column + "-BY-CLIENT-NUM", beside(List.of(CLIENTS, column), DatabaseSeries::seconds));
      if (steps) {
        write(column + "-BY-CLIENT-NUM-aggregated", byClientNumber(column));
      }
    }
  }

  /** Returns whether a column is written: if any database has a value. */
  protected boolean isKnown(String column) {
    return databases.stream()
        .flatMapToDouble(each -> Arrays.stream(each.seconds().numbers(column)))
        .anyMatch(value -> !Double.isNaN(value));
  }

  private void byKey(String plot, String figure, Function<DatabaseSeries, Frame> frame) {
    if (!isKnown(frame)) {
      return;
    }
    write(plot + "-BY-KEY", beside(List.of("KEYS", "AVG-" + figure), frame));
    List<String> points = List.of("KEYS", "MIN-" + figure, "AVG-" + figure, "MAX-" + figure);
    write(plot + "-BY-KEY-ERROR-POINTS", beside(points, frame));
  }

  private void bytesByKey(String humanized, Function<DatabaseSeries, Frame> frame) {
    String column = humanized + "-NUM-DELTA";
    if (isKnown(frame)) {
      write(column + "-BY-KEY", beside(List.of("KEYS", column, humanized), frame));
    }
  }

  /** Returns whether files by the number of keys are written: if any database has one. */
  protected boolean isKnown(Function<DatabaseSeries, Frame> frame) {
    return databases.stream().anyMatch(each -> frame.apply(each).rows() > 0);
  }

  private void write(String name, String csv) {
    output.accept(path(directory, name + ".csv"), csv);
  }

  /** Returns the path of a file in a directory that may be empty. */
  public static String path(String directory, String name) {
    return directory + (directory.isEmpty() || directory.endsWith("/") ? "" : "/") + name;
  }

  private String beside(List<String> columns, Function<DatabaseSeries, Frame> frame) {
    return Frame.csv(
        databases.stream()
            .map(each -> frame.apply(each).only(columns).withSuffix("-" + each.tag()))
            .toList());
  }

  private String byClientNumber(String column) {
    List<String> header = new ArrayList<>(List.of(CLIENTS));
    databases.forEach(each -> header.add(column + "-" + each.tag()));
    CsvText csv = new CsvText().row(header.toArray(String[]::new));
    for (long clients : clientNumbers()) {
      List<String> row = new ArrayList<>(List.of(Long.toString(clients)));
      for (DatabaseSeries database : databases) {
        double mean = figure(database, column, clients);
        row.add(Double.isNaN(mean) ? "" : NumberFormats.fixed(mean, 4));
      }
      csv.row(row.toArray(String[]::new));
    }
    return csv.toString();
  }

  /** Returns the numbers of clients of all databases together, as one may have ended early. */
  protected SortedSet<Long> clientNumbers() {
    SortedSet<Long> numbers = new TreeSet<>();
    databases.forEach(each -> numbers.addAll(clientNumbers(each)));
    return numbers;
  }

  /**
   * Returns the numbers of clients of the steps, as the timeline may lack a step of less than a
   * second.
   */
  protected static SortedSet<Long> clientNumbers(DatabaseSeries database) {
    SortedSet<Long> known = database.loads();
    return known.isEmpty()
        ? new TreeSet<>(database.clients().stream().map(ClientSecond::clients).toList())
        : known;
  }

  /**
   * Returns the value of the steps for columns of the clients, and the value of the seconds for
   * others.
   */
  private double figure(DatabaseSeries database, String column, long clients) {
    List<StepFigures> steps = database.stepsAt(clients);
    if (!steps.isEmpty() && column.equals(AggregatedColumn.AVG_THROUGHPUT.title())) {
      return DatabaseSeries.requestsPerSecond(steps);
    }
    if (!steps.isEmpty() && column.equals(AggregatedColumn.AVG_LATENCY_MS.title())) {
      return DatabaseSeries.averageMs(steps);
    }
    return mean(database, column, clients);
  }

  /**
   * Returns the arithmetic mean over the seconds with this number of clients: seconds with
   * requests, or for latencies seconds with successes.
   */
  protected double mean(DatabaseSeries database, String column, long clients) {
    double[] values = database.seconds().numbers(column);
    double sum = 0;
    long count = 0;
    for (int i = 0; i < values.length; i++) {
      ClientSecond second = database.clients().get(i);
      boolean measured =
          second.clients() == clients
              && second.requested()
              && !Double.isNaN(values[i])
              && (second.count() > 0 || !LATENCIES.contains(column));
      sum += measured ? values[i] : 0;
      count += measured ? 1 : 0;
    }
    return sum / count;
  }
}
