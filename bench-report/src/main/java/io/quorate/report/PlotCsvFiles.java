package io.quorate.report;

import io.quorate.QuorateException;
import io.quorate.run.CsvText;
import io.quorate.run.NumberFormats;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The CSV files beside the reference's plots: what each of them draws. */
final class ReferencePlots {
  private static final String CLIENTS = AggregatedColumn.CONTROL_CLIENT_NUM.title();
  private static final Set<String> LATENCIES =
      Set.of(
          AggregatedColumn.MIN_LATENCY_MS.title(),
          AggregatedColumn.AVG_LATENCY_MS.title(),
          AggregatedColumn.MAX_LATENCY_MS.title());

  private final String directory;
  private final List<ReferenceDatabase> databases;
  private final Rules rules;
  private final BiConsumer<String, String> output;

  /**
   * @param directory in which they are, as the configuration says
   * @param output is given each file
   */
  ReferencePlots(
      String directory,
      List<ReferenceDatabase> databases,
      Rules rules,
      BiConsumer<String, String> output) {
    this.directory = directory;
    this.databases = databases;
    this.rules = rules;
    this.output = output;
  }

  /** Writes the files of all plots. */
  void write(List<String> columns) {
    byKey("AVG-LATENCY-MS", "LATENCY-MS", ReferenceDatabase::latency);
    byKey("AVG-VMRSS-MB", "VMRSS-MB", ReferenceDatabase::memory);
    bytesByKey("AVG-READ-BYTES", ReferenceDatabase::readBytes);
    bytesByKey("AVG-WRITE-BYTES", ReferenceDatabase::writeBytes);
    boolean steps = !databases.get(0).store().clientNumbers().isEmpty();
    for (String column : columns.stream().distinct().toList()) {
      write(column, beside(List.of(column), ReferenceDatabase::seconds));
      write(
          column + "-BY-CLIENT-NUM", beside(List.of(CLIENTS, column), ReferenceDatabase::seconds));
      if (steps) {
        write(column + "-BY-CLIENT-NUM-aggregated", byClientNumber(column));
      }
    }
  }

  private void byKey(String plot, String figure, Function<ReferenceDatabase, Frame> frame) {
    write(plot + "-BY-KEY", beside(List.of("KEYS", "AVG-" + figure), frame));
    List<String> points = List.of("KEYS", "MIN-" + figure, "AVG-" + figure, "MAX-" + figure);
    write(plot + "-BY-KEY-ERROR-POINTS", beside(points, frame));
  }

  private void bytesByKey(String humanized, Function<ReferenceDatabase, Frame> frame) {
    String column = humanized + "-NUM-DELTA";
    write(column + "-BY-KEY", beside(List.of("KEYS", column, humanized), frame));
  }

  private void write(String name, String csv) {
    String separator = directory.isEmpty() || directory.endsWith("/") ? "" : "/";
    output.accept(directory + separator + name + ".csv", csv);
  }

  private String beside(List<String> columns, Function<ReferenceDatabase, Frame> frame) {
    return Frame.csv(
        databases.stream()
            .map(each -> frame.apply(each).only(columns).withSuffix("-" + each.store().tag()))
            .toList());
  }

  private String byClientNumber(String column) {
    List<String> header = new ArrayList<>(List.of(CLIENTS));
    databases.forEach(each -> header.add(column + "-" + each.store().tag()));
    CsvText csv = new CsvText().row(header.toArray(String[]::new));
    for (long clients : clientNumbers()) {
      List<String> row = new ArrayList<>(List.of(Long.toString(clients)));
      for (ReferenceDatabase database : databases) {
        double mean = mean(database, column, clients);
        row.add(Double.isNaN(mean) ? "" : NumberFormats.fixed(mean, 4));
      }
      csv.row(row.toArray(String[]::new));
    }
    return csv.toString();
  }

  /** Those that every database has seen. */
  private SortedSet<Long> clientNumbers() {
    SortedSet<Long> expected = clientNumbers(databases.get(0));
    for (ReferenceDatabase database : databases) {
      SortedSet<Long> found = clientNumbers(database);
      if (!found.equals(expected)) {
        throw new QuorateException(
            "%s: all keys must be %s, got %s: every database needs the same numbers of clients"
                .formatted(database.store().id(), shown(expected), shown(found)));
      }
    }
    return expected;
  }

  private static SortedSet<Long> clientNumbers(ReferenceDatabase database) {
    return database.clients().seconds().stream()
        .map(ClientSecond::clients)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String shown(SortedSet<Long> numbers) {
    return numbers.stream().map(Object::toString).collect(Collectors.joining(" ", "[", "]"));
  }

  /**
   * Over the seconds with so many clients: the arithmetic mean of those in which requests were
   * made, of latencies those in which one succeeded. As published it is no mean: each second counts
   * as much as all before it.
   */
  private double mean(ReferenceDatabase database, String column, long clients) {
    double[] values = database.seconds().numbers(column);
    double halved = Double.NaN;
    double sum = 0;
    long count = 0;
    for (int i = 0; i < values.length; i++) {
      ClientSecond second = database.clients().at(i);
      if (second.clients() != clients) {
        continue;
      }
      halved = count == 0 && Double.isNaN(halved) ? values[i] : (halved + values[i]) / 2;
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
