package io.quorate.report;

import io.quorate.QuorateException;
import io.quorate.run.CsvText;
import io.quorate.run.NumberFormats;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Writes the CSV files with the data of the plots, named as the reference's. */
final class PlotCsvFiles {
  private static final String CLIENTS = AggregatedColumn.CONTROL_CLIENT_NUM.title();
  private static final Set<String> LATENCIES =
      Set.of(
          AggregatedColumn.MIN_LATENCY_MS.title(),
          AggregatedColumn.AVG_LATENCY_MS.title(),
          AggregatedColumn.MAX_LATENCY_MS.title());

  private final String directory;
  private final List<PlotFrames> databases;
  private final Rules rules;
  private final BiConsumer<String, String> output;

  /**
   * @param directory in which they are, as a configuration of the reference says
   * @param output is given each file by its path
   */
  PlotCsvFiles(
      String directory,
      List<PlotFrames> databases,
      Rules rules,
      BiConsumer<String, String> output) {
    this.directory = directory;
    this.databases = databases;
    this.rules = rules;
    this.output = output;
  }

  /**
   * Writes the files of all plots for which there is a value.
   *
   * @param columns that are plotted
   * @param steps whether there are several numbers of clients
   */
  void write(List<String> columns, boolean steps) {
    byKey("AVG-LATENCY-MS", "LATENCY-MS", PlotFrames::latency);
    byKey("AVG-VMRSS-MB", "VMRSS-MB", PlotFrames::memory);
    bytesByKey("AVG-READ-BYTES", PlotFrames::readBytes);
    bytesByKey("AVG-WRITE-BYTES", PlotFrames::writeBytes);
    for (String column : columns.stream().distinct().filter(this::isKnown).toList()) {
      write(column, beside(List.of(column), PlotFrames::seconds));
      write(column + "-BY-CLIENT-NUM", beside(List.of(CLIENTS, column), PlotFrames::seconds));
      if (steps) {
        write(column + "-BY-CLIENT-NUM-aggregated", byClientNumber(column));
      }
    }
  }

  private boolean isKnown(String column) {
    return rules != Rules.OWN
        || databases.stream()
            .flatMapToDouble(each -> Arrays.stream(each.seconds().numbers(column)))
            .anyMatch(value -> !Double.isNaN(value));
  }

  private void byKey(String plot, String figure, Function<PlotFrames, Frame> frame) {
    if (isEmpty(frame)) {
      return;
    }
    write(plot + "-BY-KEY", beside(List.of("KEYS", "AVG-" + figure), frame));
    List<String> points = List.of("KEYS", "MIN-" + figure, "AVG-" + figure, "MAX-" + figure);
    write(plot + "-BY-KEY-ERROR-POINTS", beside(points, frame));
  }

  private void bytesByKey(String humanized, Function<PlotFrames, Frame> frame) {
    String column = humanized + "-NUM-DELTA";
    if (!isEmpty(frame)) {
      write(column + "-BY-KEY", beside(List.of("KEYS", column, humanized), frame));
    }
  }

  private boolean isEmpty(Function<PlotFrames, Frame> frame) {
    return rules == Rules.OWN && databases.stream().allMatch(each -> frame.apply(each).rows() == 0);
  }

  private void write(String name, String csv) {
    output.accept(path(directory, name + ".csv"), csv);
  }

  /** Returns the path of a file in a directory that may be empty. */
  static String path(String directory, String name) {
    return directory + (directory.isEmpty() || directory.endsWith("/") ? "" : "/") + name;
  }

  private String beside(List<String> columns, Function<PlotFrames, Frame> frame) {
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
      for (PlotFrames database : databases) {
        double mean = figure(database, column, clients);
        row.add(Double.isNaN(mean) ? "" : NumberFormats.fixed(mean, 4));
      }
      csv.row(row.toArray(String[]::new));
    }
    return csv.toString();
  }

  /**
   * Returns the numbers of clients of every database; for a run of ours, of which one may have
   * ended early, those of any.
   */
  private SortedSet<Long> clientNumbers() {
    SortedSet<Long> expected = clientNumbers(databases.get(0));
    if (rules == Rules.OWN) {
      databases.forEach(each -> expected.addAll(clientNumbers(each)));
      return expected;
    }
    for (PlotFrames database : databases) {
      SortedSet<Long> found = clientNumbers(database);
      if (!found.equals(expected)) {
        throw new QuorateException(
            "%s: all keys must be %s, got %s: every database needs the same numbers of clients"
                .formatted(database.id(), shown(expected), shown(found)));
      }
    }
    return expected;
  }

  /** Returns those of the steps, as a step of less than a second may have none in the time line. */
  private static SortedSet<Long> clientNumbers(PlotFrames database) {
    SortedSet<Long> known =
        database.byClients().map(ClientNumberFigures::clientNumbers).orElseGet(TreeSet::new);
    return known.isEmpty() ? clientNumbersOfSeconds(database) : known;
  }

  private static SortedSet<Long> clientNumbersOfSeconds(PlotFrames database) {
    return database.clients().seconds().stream()
        .map(ClientSecond::clients)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String shown(SortedSet<Long> numbers) {
    return numbers.stream().map(Object::toString).collect(Collectors.joining(" ", "[", "]"));
  }

  /**
   * Returns the figure of the steps for columns of the clients, and that of the seconds for others.
   */
  private double figure(PlotFrames database, String column, long clients) {
    if (database.byClients().isPresent()) {
      ClientNumberFigures steps = database.byClients().get();
      if (column.equals(AggregatedColumn.AVG_THROUGHPUT.title())) {
        return steps.requestsPerSecond(clients);
      }
      if (column.equals(AggregatedColumn.AVG_LATENCY_MS.title())) {
        return steps.averageMs(clients);
      }
    }
    return mean(database, column, clients);
  }

  /**
   * Returns the mean over the seconds with so many clients: the arithmetic mean of those in which
   * requests were made, of latencies those in which one succeeded. As published it is no mean: each
   * second counts as much as all before it.
   */
  private double mean(PlotFrames database, String column, long clients) {
    double[] values = database.seconds().numbers(column);
    double halved = Double.NaN;
    double sum = 0;
    long count = 0;
    for (int i = 0; i < values.length; i++) {
      ClientSecond second = database.clients().at(i);
      if (second.clients() != clients) {
        continue;
      }
      double published = Double.isNaN(values[i]) ? 0 : values[i];
      halved = Double.isNaN(halved) ? published : (halved + published) / 2;
      boolean measured =
          second.requested()
              && !Double.isNaN(values[i])
              && (second.count() > 0 || !LATENCIES.contains(column));
      sum += measured ? values[i] : 0;
      count += measured ? 1 : 0;
    }
    return rules == Rules.AS_PUBLISHED ? halved : sum / count;
  }
}
