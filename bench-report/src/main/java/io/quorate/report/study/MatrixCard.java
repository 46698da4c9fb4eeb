// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.study;

import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import io.quorate.report.compare.RunValues.Row;
import io.quorate.report.figures.Reservation;
import io.quorate.report.plot.draw.Card;
import io.quorate.report.plot.draw.LineStyle;
import io.quorate.results.MatrixManifest;
import io.quorate.scenario.Metric;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The picture of a matrix to share: medians of the databases if it only repeats them, and what the
 * comparison of its cells says.
 */
final class MatrixCard {
  private static final List<Metric> SHOWN = List.of(Metric.THROUGHPUT, Metric.P50, Metric.P99);

  private MatrixCard() {}

  /**
   * Returns the picture.
   *
   * @param sentences the most important sentence first
   */
  static Card of(MatrixResults results, List<String> sentences) {
    MatrixManifest manifest = results.manifest();
    boolean repeated = manifest.axes().size() == 1;
    List<LineStyle> inks =
        LineStyle.of(manifest.cells().stream().map(MatrixManifest.Cell::label).toList());
    List<Card.Result> lines = new ArrayList<>();
    for (CellResult cell : repeated ? results.cells() : List.<CellResult>of()) {
      lines.add(new Card.Result(inks.get(lines.size()), VisibleText.of(text(cell))));
    }
    return new Card(
        VisibleText.of(manifest.title()),
        NumberFormats.count(manifest.cells().size(), repeated ? "database" : "cell")
            + ", each run "
            + (manifest.repeats() == 1 ? "once" : manifest.repeats() + " times"),
        lines,
        VisibleText.of(String.join(" ", sentences)),
        manifest.start().atZone(ZoneOffset.UTC).toLocalDate().toString());
  }

  /**
   * Returns the medians of the last step, which is the one with the most load: of all of its
   * operations together.
   */
  private static String text(CellResult cell) {
    List<Row> rows =
        cell.runs().stream().flatMap(run -> run.values().keySet().stream()).distinct().toList();
    List<Row> rates = rows.stream().filter(row -> row.metric() == Metric.THROUGHPUT).toList();
    String last =
        Stream.concat(rates.stream(), rates.stream().filter(row -> row.operation().isEmpty()))
            .reduce((one, next) -> next)
            .map(Row::group)
            .orElse("");
    List<String> parts = new ArrayList<>(List.of(cell.name()));
    for (Metric metric : SHOWN) {
      rows.stream()
          .filter(row -> row.group().equals(last) && row.metric() == metric)
          .findFirst()
          .ifPresent(
              row -> {
                String marks = Reservation.marks(RepeatTables.bases(cell, row)).replace(" ", "");
                parts.add(shown(metric, cell.sample(row).median()) + marks);
              });
    }
    return String.join("  ", parts);
  }

  private static String shown(Metric metric, double median) {
    return metric == Metric.THROUGHPUT
        ? metric.number(median) + "/s"
        : "%s %s ms".formatted(metric == Metric.P50 ? "p50" : "p99", metric.number(median));
  }
}
