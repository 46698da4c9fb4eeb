package io.quorate.report.page;

import io.quorate.format.NumberFormats;
import io.quorate.report.figures.Basis;
import io.quorate.report.figures.Better;
import io.quorate.report.figures.DatabaseResult;
import io.quorate.report.figures.HostFigure;
import io.quorate.report.figures.OperationTotals;
import io.quorate.report.figures.Ranking;
import io.quorate.report.figures.Ranking.Value;
import io.quorate.report.figures.Reservation;
import io.quorate.report.page.Page.Cell;
import io.quorate.report.page.Page.Row;
import io.quorate.report.page.Page.Table;
import io.quorate.results.latency.Percentile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The small table at the top of the page: a row for each database, or for each of its operations
 * and all of them together. Values are compared with those of the same operation of other
 * databases.
 */
final class Overview {
  private static final String ALL = " all";
  private static final String MISSING = "-";

  private final List<Figures> rows = new ArrayList<>();

  /**
   * The figures of a row.
   *
   * @param operation as it stands behind the name; empty if there is one only
   * @param requests that succeeded
   * @param errors empty if they are not known by operation
   * @param dropped requests that were due and never sent; empty likewise
   * @param flawless whether no request of the database failed or was dropped
   * @param basis of its latencies
   * @param ofRate the reservation about its throughput, if there is one
   */
  private record Figures(
      String database,
      String operation,
      long requests,
      OptionalDouble requestsPerSecond,
      OptionalDouble p50Ms,
      OptionalDouble p99Ms,
      OptionalLong errors,
      OptionalLong dropped,
      OptionalDouble cpuPercent,
      boolean flawless,
      Basis basis,
      Optional<Reservation> ofRate) {
    Basis basis(Column column) {
      return switch (column) {
        case THROUGHPUT -> ofRate.map(basis::with).orElse(basis);
        case ERRORS -> basis.withoutReads();
        case P50 -> basis.at(Percentile.P50);
        case P99 -> basis.at(Percentile.P99);
        default -> basis;
      };
    }
  }

  /** A column, whose best value is marked if it is better than the others by more than a tie. */
  private enum Column {
    THROUGHPUT("throughput /s", Better.HIGHER, Figures::requestsPerSecond, Overview::whole),
    P50("p50 ms", Better.LOWER, carried(Percentile.P50, Figures::p50Ms), Overview::ms),
    P99("p99 ms", Better.LOWER, carried(Percentile.P99, Figures::p99Ms), Overview::ms),
    ERRORS("errors", Better.LOWER, row -> number(row.errors()), Overview::count),
    DROPPED("dropped", Better.LOWER, row -> number(row.dropped()), Overview::count),
    SERVER_CPU("server CPU %", Better.LOWER, Figures::cpuPercent, Overview::count);

    private final String title;
    private final Better better;
    private final Function<Figures, OptionalDouble> ranked;
    private final Function<Double, String> format;

    Column(
        String title,
        Better better,
        Function<Figures, OptionalDouble> ranked,
        Function<Double, String> format) {
      this.title = title;
      this.better = better;
      this.ranked = ranked;
      this.format = format;
    }

    /** Returns the value for people, also of a percentile of a handful of requests. */
    String text(Figures row) {
      OptionalDouble value =
          switch (this) {
            case P50 -> row.p50Ms();
            case P99 -> row.p99Ms();
            default -> ranked.apply(row);
          };
      String mark = Reservation.mark(row.basis(this));
      return value.isPresent() ? format.apply(value.getAsDouble()) + mark : MISSING;
    }

    /**
     * Returns the row with the best value; empty if a value is missing, or the best one was got
     * with failed requests. Who does less needs less CPU, so there it has to lead in throughput,
     * too.
     */
    Optional<Figures> winner(List<Figures> rows) {
      List<Value<Figures>> values = values(rows);
      return values.size() < rows.size()
          ? Optional.empty()
          : new Ranking<>(better, values)
              .best(Figures::database, row -> row.basis(this))
              .filter(Figures::flawless)
              .filter(best -> this != SERVER_CPU || THROUGHPUT.leads(best, rows));
    }

    /** Returns the reservations about these rows, in words. */
    Stream<String> reservations(List<Figures> rows) {
      return rows.size() < 2
          ? Stream.empty()
          : new Ranking<>(better, values(rows))
              .reservations(Figures::database, row -> row.basis(this)).stream()
                  .map(Reservation.Stated::text);
    }

    private boolean leads(Figures row, List<Figures> rows) {
      return new Ranking<>(better, values(rows))
          .leaders().stream().anyMatch(value -> value.of() == row);
    }

    private List<Value<Figures>> values(List<Figures> rows) {
      return rows.stream()
          .filter(row -> ranked.apply(row).isPresent())
          .map(row -> new Value<>(row, ranked.apply(row).getAsDouble()))
          .toList();
    }
  }

  /** Adds a database, with its operations if it has several. */
  void add(String database, DatabaseResult result, List<OperationTotals> operations) {
    boolean flawless = result.errorCount() == 0 && result.basis().isComplete();
    for (OperationTotals each : operations) {
      rows.add(
          new Figures(
              database,
              " " + each.operation(),
              each.successes(),
              each.requestsPerSecond(),
              each.p50Ms(),
              each.p99Ms(),
              each.errors(),
              each.dropped(),
              OptionalDouble.empty(),
              flawless,
              each.basis(),
              Optional.of(Reservation.SHARE_OF_MIX)));
    }
    rows.add(
        new Figures(
            database,
            operations.isEmpty() ? "" : ALL,
            result.requests().orElse(0) - result.errorCount(),
            result.requestsPerSecond(),
            number(result.percentileMs(Percentile.P50)),
            number(result.percentileMs(Percentile.P99)),
            result.errorsKnown() ? OptionalLong.of(result.errorCount()) : OptionalLong.empty(),
            result.errorsKnown() ? OptionalLong.of(result.dropped()) : OptionalLong.empty(),
            number(result.host(HostFigure.SERVER_MEAN_CPU_PERCENT)),
            flawless,
            result.basis(),
            result.isOfGivenRate() ? Optional.of(Reservation.GIVEN_RATE) : Optional.empty()));
  }

  /** Returns the table, without columns if there is no row. */
  Table table() {
    if (rows.isEmpty()) {
      return new Table(List.of(), List.of());
    }
    boolean dropped = rows.stream().anyMatch(row -> row.dropped().orElse(0) > 0);
    List<Column> shownColumns =
        Arrays.stream(Column.values()).filter(each -> dropped || each != Column.DROPPED).toList();
    List<String> columns = shownColumns.stream().map(column -> column.title).toList();
    Map<Column, List<Figures>> best = best();
    List<Row> shown = new ArrayList<>();
    for (Figures row : rows) {
      List<Cell> cells = new ArrayList<>();
      for (Column column : shownColumns) {
        cells.add(new Cell(column.text(row), best.get(column).contains(row)));
      }
      shown.add(new Row(row.database() + row.operation(), cells));
    }
    return new Table(columns, shown, reservations());
  }

  /** Returns each reservation with the columns and operations that it is about. */
  private List<String> reservations() {
    Map<String, Set<String>> places = new LinkedHashMap<>();
    for (List<Figures> same : byOperation()) {
      for (Column column : Column.values()) {
        String place = column.title + same.get(0).operation().replace(" ", " of ");
        column
            .reservations(same)
            .forEach(text -> places.computeIfAbsent(text, any -> new LinkedHashSet<>()).add(place));
      }
    }
    return Table.notes(places);
  }

  private List<List<Figures>> byOperation() {
    return rows.stream()
        .map(Figures::operation)
        .distinct()
        .map(name -> rows.stream().filter(row -> row.operation().equals(name)).toList())
        .toList();
  }

  private Map<Column, List<Figures>> best() {
    Map<Column, List<Figures>> best = new LinkedHashMap<>();
    for (Column column : Column.values()) {
      best.put(
          column, byOperation().stream().flatMap(same -> column.winner(same).stream()).toList());
    }
    return best;
  }

  private static Function<Figures, OptionalDouble> carried(
      Percentile percentile, Function<Figures, OptionalDouble> figure) {
    return row ->
        percentile.isCarriedBy(row.requests()) ? figure.apply(row) : OptionalDouble.empty();
  }

  private static OptionalDouble number(Optional<Double> value) {
    return value.filter(Double::isFinite).map(OptionalDouble::of).orElseGet(OptionalDouble::empty);
  }

  private static OptionalDouble number(OptionalLong value) {
    return value.isPresent() ? OptionalDouble.of(value.getAsLong()) : OptionalDouble.empty();
  }

  private static String ms(double value) {
    int decimals = value < 10 ? 2 : value < 100 ? 1 : 0;
    return decimals == 0 ? count(value) : NumberFormats.fixed(value, decimals);
  }

  /** Returns the whole part, as the result table does. */
  private static String whole(double value) {
    return NumberFormats.commas((long) value);
  }

  private static String count(double value) {
    return NumberFormats.commas(Math.round(value));
  }
}
