// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.study;

import io.quorate.report.figures.Basis;
import io.quorate.report.figures.Reservation;
import io.quorate.report.figures.Reservation.Stated;
import io.quorate.report.study.Spread.Ratio;
import io.quorate.results.latency.Percentile;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.function.UnaryOperator;

/**
 * Two cells that are compared, with the names that distinguish them.
 *
 * @param base cell whose values are 1
 */
record CellPair(String name, CellResult cell, String baseName, CellResult base) {
  /** A value of a cell. */
  enum Figure {
    MEAN("mean latency", RepeatFigures::meanMs, Basis::atMean),
    P50("p50", RepeatFigures::p50Ms, basis -> basis.at(Percentile.P50)),
    P99("p99", RepeatFigures::p99Ms, basis -> basis.at(Percentile.P99)),
    THROUGHPUT("throughput", RepeatFigures::requestsPerSecond, UnaryOperator.identity());

    private final String title;
    private final ToDoubleFunction<RepeatFigures> value;
    private final UnaryOperator<Basis> basis;

    Figure(String title, ToDoubleFunction<RepeatFigures> value, UnaryOperator<Basis> basis) {
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

    /** Returns the mark of a value of which much is the load generator's delay. */
    String mark(CellResult cell) {
      return Reservation.mark(basis.apply(cell.basis()));
    }

    private boolean isGiven(CellResult cell) {
      return this == THROUGHPUT && cell.basis().own().contains(Reservation.GIVEN_RATE);
    }
  }

  /** Returns the ratio of a value of both cells, which have complete runs. */
  Ratio ratio(Figure figure) {
    return cell.spread(figure.value).orElseThrow().over(base.spread(figure.value).orElseThrow());
  }

  List<Stated> reservations(Figure figure) {
    return Reservation.aboutRatio(
        name, figure.basis.apply(cell.basis()), baseName, figure.basis.apply(base.basis()));
  }

  private Optional<String> obstacle(Figure figure) {
    return Reservation.obstacle(reservations(figure));
  }

  /** Returns whether the mean latencies may be compared. */
  boolean isCompared() {
    return obstacle(Figure.MEAN).isEmpty();
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
