// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.study;

import io.quorate.report.figures.Basis;
import io.quorate.report.figures.Reservation;
import io.quorate.report.judge.Sample;
import io.quorate.report.judge.Sample.Kind;
import io.quorate.results.latency.Percentile;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** A value of a cell, which has complete runs. */
enum CellValue {
  MEAN("mean latency", Kind.TIME, RepeatFigures::meanMs, cell -> cell.basis().atMean()),
  P50("p50", Kind.TIME, RepeatFigures::p50Ms, cell -> cell.basis(Percentile.P50)),
  P99("p99", Kind.TIME, RepeatFigures::p99Ms, cell -> cell.basis(Percentile.P99)),
  THROUGHPUT("throughput", Kind.RATE, RepeatFigures::requestsPerSecond, CellResult::rateBasis);

  private final String title;
  private final Kind kind;
  private final ToDoubleFunction<RepeatFigures> value;
  private final Function<CellResult, Basis> basis;

  CellValue(
      String title,
      Kind kind,
      ToDoubleFunction<RepeatFigures> value,
      Function<CellResult, Basis> basis) {
    this.title = title;
    this.kind = kind;
    this.value = value;
    this.basis = basis;
  }

  String title() {
    return title;
  }

  Sample sample(CellResult cell) {
    return new Sample(kind, values(cell));
  }

  /** Returns the values of all runs, in the order of the repeats. */
  double[] values(CellResult cell) {
    return cell.runs().stream().mapToDouble(value).toArray();
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

  /** Returns whether it is the rate of an open loop that only one of two cells has. */
  boolean isOtherRate(CellResult one, CellResult other) {
    boolean given = one.basis().givenRate() || other.basis().givenRate();
    return this == THROUGHPUT && given && !one.rates().equals(other.rates());
  }
}
