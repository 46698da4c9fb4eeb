package io.quorate.report.table;

import io.quorate.VisibleText;
import io.quorate.report.figures.Basis;
import io.quorate.report.figures.Ranking;
import io.quorate.report.figures.Ranking.Better;
import io.quorate.report.figures.Ranking.Value;
import io.quorate.report.figures.Reservation;
import io.quorate.report.figures.TotalFigures;
import io.quorate.results.latency.Percentile;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * The rows of the table in which one database can be better than another. Not among them are rows
 * that are about a single request or second, and what the machines were asked for: who does less
 * needs less.
 */
public enum RankedTableRow {
  AVG_THROUGHPUT(SummaryRow.AVG_THROUGHPUT, Better.HIGHER, TotalFigures::requestsPerSecond),
  AVG_LATENCY(
      SummaryRow.AVG_LATENCY,
      Better.LOWER,
      result -> number(result.latency().map(latency -> latency.averageMs()))),
  P10(SummaryRow.P10, Percentile.P10),
  P25(SummaryRow.P25, Percentile.P25),
  P50(SummaryRow.P50, Percentile.P50),
  P75(SummaryRow.P75, Percentile.P75),
  P90(SummaryRow.P90, Percentile.P90),
  P95(SummaryRow.P95, Percentile.P95),
  P99(SummaryRow.P99, Percentile.P99),
  P99_9(SummaryRow.P99_9, Percentile.P99_9);

  private static final Function<TotalFigures, String> NAME = result -> VisibleText.of(result.tag());

  private final SummaryRow row;
  private final Better better;
  private final Function<TotalFigures, OptionalDouble> figure;

  RankedTableRow(SummaryRow row, Better better, Function<TotalFigures, OptionalDouble> figure) {
    this.row = row;
    this.better = better;
    this.figure = figure;
  }

  RankedTableRow(SummaryRow row, Percentile percentile) {
    this(
        row,
        Better.LOWER,
        result ->
            percentile.isCarriedBy(result.requests().orElse(0) - result.errorCount())
                ? result.percentileMs(percentile)
                : OptionalDouble.empty());
  }

  /**
   * Returns the database that is better than all others by more than a tie in this row. Nobody if a
   * value is missing or is that of a handful of requests, or if there is a reservation.
   */
  public static Optional<TotalFigures> winner(SummaryRow row, List<TotalFigures> results) {
    return of(row)
        .flatMap(ranked -> ranked.ranking(results).flatMap(all -> all.best(NAME, ranked::basis)));
  }

  /** Returns the reservations about the values of a row that is ranked, in words. */
  public static List<String> reservations(SummaryRow row, List<TotalFigures> results) {
    return of(row).stream()
        .flatMap(
            ranked ->
                ranked.ranking(results).stream()
                    .flatMap(all -> all.reservations(NAME, ranked::basis).stream()))
        .map(Reservation.Stated::text)
        .toList();
  }

  private static Optional<RankedTableRow> of(SummaryRow row) {
    return Arrays.stream(values()).filter(ranked -> ranked.row == row).findFirst();
  }

  private Basis basis(TotalFigures result) {
    if (row.percentile().isPresent()) {
      return result.basis().at(row.percentile().get());
    }
    if (this == AVG_LATENCY) {
      return result.basis().atMean();
    }
    return this == AVG_THROUGHPUT ? result.basis().atRate() : result.basis();
  }

  /** Returns the ranking; empty if there is nobody to compare with, or a value is missing. */
  private Optional<Ranking<TotalFigures>> ranking(List<TotalFigures> results) {
    List<Value<TotalFigures>> values =
        results.stream()
            .filter(result -> figure.apply(result).isPresent())
            .map(result -> new Value<>(result, figure.apply(result).getAsDouble()))
            .toList();
    return values.size() < results.size() || values.size() < 2
        ? Optional.empty()
        : Optional.of(new Ranking<>(better, values));
  }

  private static OptionalDouble number(Optional<Double> value) {
    return value.filter(Double::isFinite).map(OptionalDouble::of).orElseGet(OptionalDouble::empty);
  }
}
