// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.study;

import io.quorate.report.figures.Basis;
import io.quorate.report.figures.Reservation;
import io.quorate.report.figures.Reservation.Stated;
import io.quorate.report.study.Spread.Ratio;
import io.quorate.results.latency.Percentile;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Two cells that are compared, with the names that distinguish them.
 *
 * @param base cell whose values are 1
 */
record CellPair(String name, CellResult cell, String baseName, CellResult base) {
  /** A value of a cell. */
  enum Figure {
    MEAN("mean latency", RepeatFigures::meanMs, cell -> cell.basis().atMean()),
    P50("p50", RepeatFigures::p50Ms, cell -> cell.basis().at(Percentile.P50, cell.successes())),
    P99("p99", RepeatFigures::p99Ms, cell -> cell.basis().at(Percentile.P99, cell.successes())),
    THROUGHPUT("throughput", RepeatFigures::requestsPerSecond, cell -> cell.basis().atRate());

    private final String title;
    private final ToDoubleFunction<RepeatFigures> value;
    private final Function<CellResult, Basis> basis;

    Figure(String title, ToDoubleFunction<RepeatFigures> value, Function<CellResult, Basis> basis) {
      this.title = title;
      this.value = value;
      this.basis = basis;
    }

    String title() {
      return title;
    }

    double mean(CellResult cell) {
      return cell.spread(value).orElseThrow().mean();
    }

    Basis basis(CellResult cell) {
      return basis.apply(cell);
    }

    String marks(CellResult cell) {
      return Reservation.marks(List.of(basis(cell)));
    }

    private boolean isGiven(CellResult cell) {
      return this == THROUGHPUT && cell.basis().givenRate();
    }
  }

  /** Returns the ratio of a value of both cells, which have complete runs. */
  Ratio ratio(Figure figure) {
    return cell.spread(figure.value).orElseThrow().over(base.spread(figure.value).orElseThrow());
  }

  List<Stated> reservations(Figure figure) {
    return Reservation.aboutRatio(name, figure.basis(cell), baseName, figure.basis(base));
  }

  private Optional<String> obstacle(Figure figure) {
    return Reservation.obstacle(reservations(figure));
  }

  /** Returns why the mean latencies may not be compared; empty if they may be. */
  Optional<String> obstacle() {
    return obstacle(Figure.MEAN);
  }

  /** Returns whether the mean latencies may be compared. */
  boolean isCompared() {
    return obstacle().isEmpty();
  }

  /** Returns the ratio as text, or why there is none; a given rate is not a result. */
  String text(Figure figure) {
    return figure.isGiven(cell) || figure.isGiven(base)
        ? "-"
        : obstacle(figure).map(why -> "not compared: " + why).orElseGet(ratio(figure)::text);
  }

  /** Returns whether the mean latency is less than the base's, beyond doubt. */
  boolean isFaster() {
    Ratio mean = ratio(Figure.MEAN);
    return isCompared() && !mean.isTooClose() && mean.value() < 1;
  }

  /** Returns whether the mean latency is greater than the base's, beyond doubt. */
  boolean isSlower() {
    Ratio mean = ratio(Figure.MEAN);
    return isCompared() && !mean.isTooClose() && mean.value() > 1;
  }
}
