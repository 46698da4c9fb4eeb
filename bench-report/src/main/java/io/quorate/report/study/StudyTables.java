// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.study;

import io.quorate.format.NumberFormats;
import io.quorate.report.study.MatrixPage.Table;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * The tables of the published study. Each kind of work that was measured in several ways has a
 * table with the twelve columns of the study (ten if nothing is read) and additional ones.
 */
record StudyTables(MatrixResults results, MatrixLayout layout) {
  private static final String MISSING = "-";

  StudyTables(MatrixResults results) {
    this(results, MatrixLayout.of(results));
  }

  List<Table> all() {
    return layout.groups(results.cells(), layout.compared().stream().toList()).entrySet().stream()
        .map(group -> table(String.join(", ", group.getKey()), group.getValue()))
        .filter(table -> !table.rows().isEmpty())
        .toList();
  }

  /** A column, for the cells with a complete run. */
  private record Column(String title, Function<CellResult, String> cell) {
    static Column ofFacts(String title, Function<CellInfo, String> fact) {
      return new Column(title, cell -> fact.apply(cell.facts().orElseThrow()));
    }

    static Column ofNumber(String title, ToLongFunction<CellInfo> fact) {
      return ofFacts(title, facts -> NumberFormats.commas(fact.applyAsLong(facts)));
    }
  }

  private Table table(String title, List<CellResult> cells) {
    List<CellResult> known = cells.stream().filter(cell -> cell.facts().isPresent()).toList();
    boolean reads = known.stream().anyMatch(cell -> cell.facts().get().reads().isPresent());
    List<Column> columns = new ArrayList<>();
    columns.add(
        Column.ofNumber(reads ? "Number of requests" : "Number of keys", CellInfo::requests));
    columns.add(Column.ofNumber("Value size", CellInfo::valueBytes));
    columns.add(Column.ofNumber("Number of connections", CellInfo::connections));
    columns.add(Column.ofNumber("Number of clients", CellInfo::clients));
    if (reads) {
      columns.add(Column.ofFacts("sequential-keys", facts -> "" + facts.sequential()));
      columns.add(Column.ofFacts("Consistency", facts -> facts.reads().orElse(MISSING)));
    }
    columns.add(Column.ofFacts("Target server", CellInfo::target));
    columns.add(
        new Column(
            reads ? "Average read QPS" : "Average write QPS",
            cell ->
                rate(cell.requestsPerSecond().orElseThrow()) + CellValue.THROUGHPUT.marks(cell)));
    columns.add(
        new Column(
            "Average latency per request",
            cell -> ms(cell.meanMs().orElseThrow()) + CellValue.MEAN.marks(cell)));
    columns.add(Column.ofFacts("zone", CellInfo::zone));
    columns.add(Column.ofFacts("server name", CellInfo::server));
    columns.add(new Column("Test name", this::name));
    for (CellValue percentile : List.of(CellValue.P50, CellValue.P99)) {
      columns.add(
          new Column(
              percentile.title(), cell -> ms(percentile.mean(cell)) + percentile.marks(cell)));
    }
    if (known.stream().anyMatch(cell -> cell.leastTime().isPresent())) {
      columns.add(new Column("Least time", cell -> cell.leastTime().orElse(MISSING)));
    }
    if (known.stream().anyMatch(cell -> published(cell).isPresent())) {
      columns.add(
          new Column(
              "Published, on another machine",
              cell -> published(cell).map(text -> text + " ms").orElse(MISSING)));
    }
    return new Table(
        title,
        columns.stream().map(Column::title).toList(),
        known.stream()
            .map(cell -> columns.stream().map(column -> column.cell().apply(cell)).toList())
            .toList());
  }

  private static Optional<String> published(CellResult cell) {
    return PublishedStudy.text(cell.facts().orElseThrow(), cell.coordinates());
  }

  private String name(CellResult cell) {
    return layout
        .compared()
        .flatMap(
            axis ->
                Optional.ofNullable(cell.coordinates().get(axis))
                    .map(value -> MatrixLayout.words(axis, value)))
        .orElse(cell.cell().id());
  }

  private static String rate(Spread spread) {
    return NumberFormats.rate(spread.mean())
        + (spread.count() == 1
            ? ""
            : " ("
                + NumberFormats.rate(spread.lowest())
                + " to "
                + NumberFormats.rate(spread.highest())
                + ")");
  }

  static String ms(Spread spread) {
    String range =
        spread.count() == 1
            ? ""
            : " (" + number(spread.lowest()) + " to " + number(spread.highest()) + ")";
    String confidence =
        spread
            .confidence()
            .map(each -> "; 95%: " + number(each.from()) + " to " + number(each.to()))
            .orElse("");
    return number(spread.mean()) + range + " ms" + confidence;
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
   * The values of the published study of etcd's network latency ({@code etcd-network-latency.csv}),
   * from other machines: compare the shapes with them, not the values.
   */
  static final class PublishedStudy {
    private static final int LATENCY = 10;
    private static final List<List<String>> ROWS = rows();

    private PublishedStudy() {}

    private static List<List<String>> rows() {
      try (InputStream in = PublishedStudy.class.getResourceAsStream("etcd-network-latency.csv")) {
        String text = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        return text.lines().skip(1).map(line -> List.of(line.split(",", -1))).toList();
      } catch (IOException impossible) {
        throw new UncheckedIOException(impossible);
      }
    }

    /**
     * Returns the mean latency of the study for a cell, with the highest if there are several;
     * empty if it has none.
     */
    static Optional<String> text(CellInfo facts, Map<String, String> coordinates) {
      boolean put = facts.operation().equals("put");
      boolean read = facts.operation().equals("get") || facts.operation().equals("range");
      if (!facts.store().equals("etcd") || !put && !read) {
        return Optional.empty();
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
      DoubleSummaryStatistics all =
          ROWS.stream()
              .filter(row -> row.subList(0, wanted.size()).equals(wanted))
              .mapToDouble(row -> Double.parseDouble(row.get(LATENCY)))
              .summaryStatistics();
      if (all.getCount() == 0) {
        return Optional.empty();
      }
      String least = NumberFormats.shortest(all.getMin());
      String most = NumberFormats.shortest(all.getMax());
      return Optional.of(least.equals(most) ? least : least + " to " + most);
    }
  }
}
