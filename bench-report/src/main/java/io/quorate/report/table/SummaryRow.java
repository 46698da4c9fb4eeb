// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.table;

import static io.quorate.format.NumberFormats.commas;
import static io.quorate.format.NumberFormats.fixed;
import static io.quorate.format.NumberFormats.humanizedBytes;

import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import io.quorate.measure.EventCounts;
import io.quorate.report.figures.Basis;
import io.quorate.report.figures.HostFigure;
import io.quorate.report.figures.Ranking;
import io.quorate.report.figures.Ranking.Value;
import io.quorate.report.figures.Reservation;
import io.quorate.report.figures.TotalFigures;
import io.quorate.report.figures.WatchFigures;
import io.quorate.report.judge.Sample.Kind;
import io.quorate.results.latency.LatencySummary;
import io.quorate.results.latency.Percentile;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * The rows of the result table in their order, named and formatted as in the reference. Each
 * defines the cell of a database, which is empty without a value. {@code
 * src/site/markdown/reference/files.md} defines every value.
 */
public enum SummaryRow {
  SCALE(
      "SCALE",
      false,
      result -> result.scale() == 1 ? Optional.empty() : Optional.of("" + result.scale())),
  TOTAL_SECONDS("TOTAL-SECONDS", result -> seconds(result.totalSeconds())),
  TOTAL_REQUEST_NUMBER("TOTAL-REQUEST-NUMBER", result -> count(result.requests())),
  MAX_THROUGHPUT("MAX-THROUGHPUT", result -> throughput(result.maxThroughput())),
  AVG_THROUGHPUT(
      "AVG-THROUGHPUT",
      result ->
          value(result.requestsPerSecond())
              .map(
                  rate -> rate < 100 ? NumberFormats.rate(rate) : commas((long) rate.doubleValue()))
              .map(rate -> rate + " req/sec")),
  MIN_THROUGHPUT("MIN-THROUGHPUT", result -> throughput(result.minThroughput())),
  FASTEST_LATENCY("FASTEST-LATENCY", result -> ms(result, LatencySummary::fastestMs)),
  AVG_LATENCY("AVG-LATENCY", result -> ms(result, LatencySummary::averageMs)),
  SLOWEST_LATENCY("SLOWEST-LATENCY", result -> ms(result, LatencySummary::slowestMs)),
  P10(Percentile.P10),
  P25(Percentile.P25),
  P50(Percentile.P50),
  P75(Percentile.P75),
  P90(Percentile.P90),
  P95(Percentile.P95),
  P99(Percentile.P99),
  P99_9(Percentile.P99_9),
  WATCH_EVENTS("WATCH-EVENTS", result -> events(result, EventCounts::expected)),
  WATCH_COALESCED("WATCH-EVENTS-COALESCED", result -> events(result, EventCounts::coalesced)),
  WATCH_LOST("WATCH-EVENTS-LOST", result -> events(result, EventCounts::lost)),
  WATCH_FIRST_P50("Watch p50, first", watch(WatchFigures::firstMs, Percentile.P50)),
  WATCH_FIRST_P99("Watch p99, first", watch(WatchFigures::firstMs, Percentile.P99)),
  WATCH_LAST_P50("Watch p50, last", watch(WatchFigures::lastMs, Percentile.P50)),
  WATCH_LAST_P99("Watch p99, last", watch(WatchFigures::lastMs, Percentile.P99)),
  SERVER_RX(
      "SERVER-TOTAL-NETWORK-RX-DATA-SUM",
      "SERVER-TOTAL-NETWORK-RECEIVE-DATA-SUM",
      bytes(HostFigure.SERVER_RECEIVED_BYTES)),
  SERVER_RX_RAW(
      "SERVER-TOTAL-NETWORK-RX-DATA-BYTES-SUM-RAW", false, raw(HostFigure.SERVER_RECEIVED_BYTES)),
  SERVER_TX(
      "SERVER-TOTAL-NETWORK-TX-DATA-SUM",
      "SERVER-TOTAL-NETWORK-TRANSMIT-DATA-SUM",
      bytes(HostFigure.SERVER_SENT_BYTES)),
  SERVER_TX_RAW(
      "SERVER-TOTAL-NETWORK-TX-DATA-BYTES-SUM-RAW", false, raw(HostFigure.SERVER_SENT_BYTES)),
  CLIENT_RX(
      "CLIENT-TOTAL-NETWORK-RX-SUM",
      "CLIENT-TOTAL-NETWORK-RECEIVE-SUM",
      bytes(HostFigure.CLIENT_RECEIVED_BYTES)),
  CLIENT_RX_RAW(
      "CLIENT-TOTAL-NETWORK-RX-BYTES-SUM-RAW", false, raw(HostFigure.CLIENT_RECEIVED_BYTES)),
  CLIENT_TX(
      "CLIENT-TOTAL-NETWORK-TX-SUM",
      "CLIENT-TOTAL-NETWORK-TRANSMIT-SUM",
      bytes(HostFigure.CLIENT_SENT_BYTES)),
  CLIENT_TX_RAW("CLIENT-TOTAL-NETWORK-TX-BYTES-SUM-RAW", false, raw(HostFigure.CLIENT_SENT_BYTES)),
  SERVER_CPU("SERVER-MAX-CPU-USAGE", percent(HostFigure.SERVER_MAX_CPU_PERCENT)),
  SERVER_MEMORY("SERVER-MAX-MEMORY-USAGE", bytes(HostFigure.SERVER_MAX_MEMORY_BYTES)),
  CLIENT_CPU("CLIENT-MAX-CPU-USAGE", percent(HostFigure.CLIENT_MAX_CPU_PERCENT)),
  CLIENT_MEMORY("CLIENT-MAX-MEMORY-USAGE", bytes(HostFigure.CLIENT_MAX_MEMORY_BYTES)),
  CLIENT_ERRORS(
      "CLIENT-ERROR-COUNT", result -> result.errors().map(any -> commas(result.errorCount()))),
  CLIENT_DROPPED(
      "CLIENT-DROPPED-COUNT",
      result -> result.dropped() > 0 ? Optional.of(commas(result.dropped())) : Optional.empty()),
  SERVER_READS("SERVER-AVG-READS-COMPLETED-DELTA-SUM", count(HostFigure.SERVER_READS)),
  SERVER_SECTORS_READ("SERVER-AVG-SECTORS-READS-DELTA-SUM", count(HostFigure.SERVER_SECTORS_READ)),
  SERVER_WRITES("SERVER-AVG-WRITES-COMPLETED-DELTA-SUM", count(HostFigure.SERVER_WRITES)),
  SERVER_SECTORS_WRITTEN(
      "SERVER-AVG-SECTORS-WRITTEN-DELTA-SUM", count(HostFigure.SERVER_SECTORS_WRITTEN)),
  SERVER_DISK(
      "SERVER-AVG-DISK-SPACE-USAGE",
      "SERVER-AVG-DATA-SIZE-ON-DISK",
      bytes(HostFigure.SERVER_DISK_BYTES));

  private static final Function<TotalFigures, String> NAME = result -> VisibleText.of(result.tag());

  private final String label;
  private final String earlierLabel;
  private final boolean inText;
  private final Function<TotalFigures, Optional<String>> cell;

  SummaryRow(
      String label,
      String earlierLabel,
      boolean inText,
      Function<TotalFigures, Optional<String>> cell) {
    this.label = label;
    this.earlierLabel = earlierLabel;
    this.inText = inText;
    this.cell = cell;
  }

  SummaryRow(String label, String earlier, Function<TotalFigures, Optional<String>> cell) {
    this(label, earlier, true, cell);
  }

  SummaryRow(String label, Function<TotalFigures, Optional<String>> cell) {
    this(label, label, true, cell);
  }

  SummaryRow(String label, boolean inText, Function<TotalFigures, Optional<String>> cell) {
    this(label, label, inText, cell);
  }

  SummaryRow(Percentile percentile) {
    this(
        "Latency " + percentile.label(),
        result -> value(result.percentileMs(percentile)).map(ms -> fixed(ms, 6) + " ms"));
  }

  Optional<Percentile> percentile() {
    return Arrays.stream(Percentile.values())
        .filter(each -> label.equals("Latency " + each.label()))
        .findFirst();
  }

  /**
   * Returns the cell for readers: a value that is not compared because of the load generator or its
   * machine is marked.
   */
  Optional<String> shown(TotalFigures result) {
    return cell(result).map(text -> text + Reservation.marks(marked(result)));
  }

  /** Returns the basis of a value that has marks; empty of other values. */
  List<Basis> marked(TotalFigures result) {
    boolean ranked = percentile().isPresent() || this == AVG_LATENCY || this == AVG_THROUGHPUT;
    return ranked && cell(result).isPresent() ? List.of(basis(result)) : List.of();
  }

  public String label(RowLabels labels) {
    return labels == RowLabels.EARLIER ? earlierLabel : label;
  }

  boolean isInText() {
    return inText;
  }

  Optional<String> cell(TotalFigures result) {
    return cell.apply(result);
  }

  /** Returns whether this database needs the row, even if no database has a value. */
  boolean isShownFor(TotalFigures result) {
    boolean lookedFor = this == MAX_THROUGHPUT || this == MIN_THROUGHPUT;
    return lookedFor && result.rangeMissing().isPresent() || cell(result).isPresent();
  }

  /**
   * Returns the database that is better than all others by more than a tie in this row. Empty if a
   * value is missing, or if there is a reservation.
   */
  public Optional<TotalFigures> winner(List<TotalFigures> results) {
    return ranking(results).flatMap(all -> all.best(NAME, this::basis));
  }

  public List<String> reservations(List<TotalFigures> results) {
    return ranking(results).stream()
        .flatMap(all -> all.reservations(NAME, this::basis).stream())
        .map(Reservation.Stated::text)
        .toList();
  }

  private Optional<Ranking<TotalFigures>> ranking(List<TotalFigures> results) {
    Kind kind = this == AVG_THROUGHPUT ? Kind.RATE : Kind.TIME;
    List<Value<TotalFigures>> values =
        results.stream()
            .flatMap(result -> ranked(result).stream().mapToObj(it -> new Value<>(result, it)))
            .toList();
    return values.size() < results.size() || values.size() < 2
        ? Optional.empty()
        : Optional.of(new Ranking<>(kind, values));
  }

  /**
   * Returns the value in which one database can be better than another. Rows about a single request
   * or second have none, and neither have rows about resources, as less work needs less.
   */
  private OptionalDouble ranked(TotalFigures result) {
    if (percentile().isPresent()) {
      return result.percentileMs(percentile().get());
    }
    return switch (this) {
      case AVG_THROUGHPUT -> result.requestsPerSecond();
      case AVG_LATENCY ->
          result.latency().stream()
              .mapToDouble(LatencySummary::averageMs)
              .filter(Double::isFinite)
              .findFirst();
      default -> OptionalDouble.empty();
    };
  }

  private Basis basis(TotalFigures result) {
    return percentile()
        .map(each -> result.basis().at(each, result.succeeded()))
        .orElseGet(() -> this == AVG_LATENCY ? result.basis().atMean() : result.basis().atRate());
  }

  private static Optional<String> events(TotalFigures result, Function<EventCounts, Long> count) {
    return result.watch().map(WatchFigures::counts).map(count).map(NumberFormats::commas);
  }

  private static Function<TotalFigures, Optional<String>> watch(
      Function<WatchFigures, Map<Percentile, Double>> times, Percentile percentile) {
    return result ->
        result
            .watch()
            .map(times)
            .map(percentiles -> percentiles.get(percentile))
            .map(ms -> fixed(ms, 6) + " ms" + coverage(result.watch().get().counts()));
  }

  private static String coverage(EventCounts events) {
    return events.delivered() == events.expected()
        ? ""
        : " (%s of %s events)".formatted(commas(events.delivered()), commas(events.expected()));
  }

  private static Optional<String> seconds(OptionalDouble value) {
    return value(value).map(seconds -> fixed(seconds, 4) + " sec");
  }

  private static Optional<String> count(OptionalLong value) {
    return value.stream().mapToObj(NumberFormats::commas).findFirst();
  }

  private static Optional<String> throughput(OptionalLong value) {
    return count(value).map(count -> count + " req/sec");
  }

  private static Optional<String> ms(TotalFigures result, Function<LatencySummary, Double> figure) {
    return result.latency().map(figure).filter(Double::isFinite).map(ms -> fixed(ms, 4) + " ms");
  }

  private static Function<TotalFigures, Optional<String>> bytes(HostFigure figure) {
    return host(figure, bytes -> humanizedBytes(bytes.longValue()));
  }

  private static Function<TotalFigures, Optional<String>> raw(HostFigure figure) {
    return host(figure, bytes -> fixed(bytes, 2));
  }

  private static Function<TotalFigures, Optional<String>> percent(HostFigure figure) {
    return host(figure, percent -> fixed(percent, 2) + " %");
  }

  private static Function<TotalFigures, Optional<String>> count(HostFigure figure) {
    return host(figure, count -> commas(count.longValue()));
  }

  private static Function<TotalFigures, Optional<String>> host(
      HostFigure figure, Function<Double, String> format) {
    return result -> value(result.host(figure)).map(format);
  }

  private static Optional<Double> value(OptionalDouble value) {
    return value.stream().boxed().findFirst();
  }
}
