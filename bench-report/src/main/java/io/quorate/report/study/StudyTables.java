package io.quorate.report.study;

import io.quorate.format.NumberFormats;
import io.quorate.report.figures.Reservation;
import io.quorate.report.study.MatrixPage.Table;
import io.quorate.results.latency.Percentile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * The tables of the published study: a table for each thing that was measured in several ways, with
 * the twelve columns of the study (ten where nothing is read), and what is known beyond it.
 */
final class StudyTables {
  private static final String MISSING = "-";

  private final MatrixResults results;
  private final MatrixLayout layout;

  StudyTables(MatrixResults results) {
    this.results = results;
    this.layout = MatrixLayout.of(results);
  }

  List<Table> all() {
    List<Table> tables = new ArrayList<>();
    List<String> compared = layout.compared().stream().toList();
    Map<List<String>, List<CellResult>> groups = layout.groups(results.cells(), compared);
    groups.forEach(
        (context, cells) -> {
          if (cells.stream().anyMatch(cell -> cell.facts().isPresent())) {
            tables.add(table(String.join(", ", context), cells));
          }
        });
    return tables;
  }

  private Table table(String title, List<CellResult> cells) {
    List<CellResult> known = cells.stream().filter(cell -> cell.facts().isPresent()).toList();
    boolean reads = known.stream().anyMatch(cell -> cell.facts().get().reads().isPresent());
    boolean published = known.stream().anyMatch(cell -> published(cell).isPresent());
    boolean floored = known.stream().anyMatch(cell -> RoundTripBounds.text(cell).isPresent());
    List<String> columns = new ArrayList<>();
    columns.add(reads ? "Number of requests" : "Number of keys");
    columns.addAll(List.of("Value size", "Number of connections", "Number of clients"));
    if (reads) {
      columns.addAll(List.of("sequential-keys", "Consistency"));
    }
    columns.add("Target server");
    columns.add(reads ? "Average read QPS" : "Average write QPS");
    columns.addAll(List.of("Average latency per request", "zone", "server name", "Test name"));
    columns.addAll(List.of("p50", "p99"));
    if (floored) {
      columns.add("Least time");
    }
    if (published) {
      columns.add("Published, on another machine");
    }
    List<List<String>> rows = new ArrayList<>();
    known.forEach(cell -> rows.add(row(cell, reads, floored, published)));
    return new Table(title, columns, rows);
  }

  private static Optional<String> published(CellResult cell) {
    return PublishedStudy.text(cell.facts().orElseThrow(), cell.coordinates());
  }

  private List<String> row(CellResult cell, boolean reads, boolean floored, boolean published) {
    CellInfo facts = cell.facts().orElseThrow();
    List<String> row = new ArrayList<>();
    row.add(NumberFormats.commas(facts.requests()));
    row.add(NumberFormats.commas(facts.valueBytes()));
    row.add(NumberFormats.commas(facts.connections()));
    row.add(NumberFormats.commas(facts.clients()));
    if (reads) {
      row.add(facts.sequential() ? "true" : "false");
      row.add(facts.reads().orElse(MISSING));
    }
    row.add(facts.target());
    row.add(cell.spread(RepeatFigures::requestsPerSecond).map(StudyTables::rate).orElse(MISSING));
    row.add(
        cell.meanMs()
            .map(mean -> ms(mean) + Reservation.mark(cell.basis().atMean()))
            .orElse(MISSING));
    row.add(facts.zone());
    row.add(facts.server());
    row.add(name(cell));
    row.add(percentile(cell, Percentile.P50, RepeatFigures::p50Ms));
    row.add(percentile(cell, Percentile.P99, RepeatFigures::p99Ms));
    if (floored) {
      row.add(RoundTripBounds.text(cell).orElse(MISSING));
    }
    if (published) {
      row.add(published(cell).map(text -> text + " ms").orElse(MISSING));
    }
    return row;
  }

  private static String percentile(
      CellResult cell, Percentile percentile, ToDoubleFunction<RepeatFigures> value) {
    return cell.spread(value)
        .map(spread -> ms(spread.mean()) + Reservation.mark(cell.basis().at(percentile)))
        .orElse(MISSING);
  }

  private String name(CellResult cell) {
    return layout.compared().map(axis -> cell.coordinates().get(axis)).orElse(cell.cell().id());
  }

  private static String rate(Spread spread) {
    return rate(spread.mean())
        + (spread.count() == 1
            ? ""
            : " (" + rate(spread.lowest()) + " to " + rate(spread.highest()) + ")");
  }

  private static String rate(double value) {
    return value < 100 ? NumberFormats.fixed(value, 2) : NumberFormats.commas(Math.round(value));
  }

  /** Returns a time with its spread. */
  static String ms(Spread spread) {
    String range =
        spread.count() == 1
            ? ""
            : " (" + number(spread.lowest()) + " to " + number(spread.highest()) + ")";
    return number(spread.mean()) + range + " ms" + confidence(spread);
  }

  private static String confidence(Spread spread) {
    return spread
        .confidence()
        .map(each -> "; 95 %: " + number(each.from()) + " to " + number(each.to()))
        .orElse("");
  }

  static String ms(double value) {
    return number(value) + " ms";
  }

  private static String number(double ms) {
    return ms < 1
        ? NumberFormats.fixed(ms, 3)
        : ms < 100 ? NumberFormats.fixed(ms, 2) : NumberFormats.commas(Math.round(ms));
  }

  /**
   * The figures of the published study of etcd's network latency ({@code
   * etcd-network-latency.csv}), of other machines: shapes may be compared with them, not figures.
   */
  static final class PublishedStudy {
    private static final int LATENCY = 10;
    private static final List<List<String>> ROWS = rows();

    private PublishedStudy() {}

    private static List<List<String>> rows() {
      try (InputStream in = PublishedStudy.class.getResourceAsStream("etcd-network-latency.csv")) {
        String text =
            new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.US_ASCII);
        return text.lines().skip(1).map(line -> Arrays.asList(line.split(",", -1))).toList();
      } catch (IOException impossible) {
        throw new UncheckedIOException(impossible);
      }
    }

    /**
     * Returns the mean latencies that it has for a cell, the lowest first; empty if it has none.
     */
    static List<Double> meanMs(CellInfo facts, Map<String, String> coordinates) {
      boolean put = facts.operation().equals("put");
      boolean read = facts.operation().equals("get") || facts.operation().equals("range");
      if (!facts.store().equals("etcd") || !put && !read) {
        return List.of();
      }
      List<String> wanted =
          List.of(
              put ? "put" : "range",
              facts.allKeys() ? "all" : "one",
              facts.reads().orElse(""),
              facts.target(),
              "" + facts.valueBytes(),
              "" + facts.connections(),
              "" + facts.clients(),
              coordinates.getOrDefault("topology", ""));
      return ROWS.stream()
          .filter(row -> row.subList(0, wanted.size()).equals(wanted))
          .map(row -> Double.parseDouble(row.get(LATENCY)))
          .sorted()
          .toList();
    }

    /** Returns the mean latency that it has for a cell in words, with the highest if several. */
    static Optional<String> text(CellInfo facts, Map<String, String> coordinates) {
      List<Double> all = meanMs(facts, coordinates);
      if (all.isEmpty()) {
        return Optional.empty();
      }
      String least = NumberFormats.shortest(all.get(0));
      String most = NumberFormats.shortest(all.get(all.size() - 1));
      return Optional.of(least.equals(most) ? least : least + " to " + most);
    }
  }
}
