// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.page;

import io.quorate.report.figures.Basis;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.figures.HostFigure;
import io.quorate.report.figures.RequestFigures;
import io.quorate.report.figures.Reservation;
import io.quorate.report.figures.StepFigures;
import io.quorate.report.figures.TotalFigures;
import io.quorate.results.latency.Percentile;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The values of a row.
 *
 * @param errors number of errors; empty if unknown
 * @param dropped number of requests that were due but never sent; empty if unknown
 */
record OverviewRow(
    String database,
    long requests,
    OptionalDouble requestsPerSecond,
    OptionalDouble p50Ms,
    OptionalDouble p99Ms,
    OptionalLong errors,
    OptionalLong dropped,
    OptionalDouble cpuPercent,
    Basis basis,
    Basis rateBasis) {
  static OverviewRow of(
      DatabaseFigures database, RequestFigures of, OptionalDouble cpuPercent, Basis rateBasis) {
    return new OverviewRow(
        database.name(),
        of.succeeded(),
        of.requestsPerSecond(),
        of.percentileMs(Percentile.P50),
        of.percentileMs(Percentile.P99),
        of.failed(),
        of.dropped(),
        cpuPercent,
        of.basis(),
        rateBasis);
  }

  /** Returns the values of all requests of a run that was interrupted, failed, or goes on. */
  static OverviewRow ofIncomplete(DatabaseFigures database) {
    String status = database.run().manifest().statusText();
    RequestFigures of = database.requests();
    return of(database, of, OptionalDouble.empty(), of.basis().atRate())
        .with(database.name() + " (" + status + ")", Reservation.INCOMPLETE);
  }

  static OverviewRow of(String name, TotalFigures of, Basis rateBasis) {
    boolean known = of.errors().isPresent();
    return new OverviewRow(
        name,
        of.succeeded(),
        of.requestsPerSecond(),
        of.percentileMs(Percentile.P50),
        of.percentileMs(Percentile.P99),
        known ? OptionalLong.of(of.errorCount()) : OptionalLong.empty(),
        known ? OptionalLong.of(of.dropped()) : OptionalLong.empty(),
        of.host(HostFigure.SERVER_MEAN_CPU_PERCENT),
        of.basis(),
        rateBasis);
  }

  /** Returns the latency of watches until the last watcher; empty if there were none. */
  static Optional<OverviewRow> ofWatches(DatabaseFigures database) {
    Basis total = database.total().orElseThrow().basis();
    return database
        .mostWatched()
        .flatMap(StepFigures::watch)
        .map(
            watch -> {
              Basis basis = watch.hasAllEvents() ? total : total.with(Reservation.EVENTS);
              return new OverviewRow(
                  database.name(),
                  watch.puts(),
                  OptionalDouble.empty(),
                  RequestFigures.known(watch.lastMs(), Percentile.P50),
                  RequestFigures.known(watch.lastMs(), Percentile.P99),
                  OptionalLong.empty(),
                  OptionalLong.empty(),
                  OptionalDouble.empty(),
                  basis,
                  basis);
            });
  }

  /** Returns the same values with a reservation about all of them. */
  OverviewRow with(String name, Reservation reservation) {
    return new OverviewRow(
        name,
        requests,
        requestsPerSecond,
        p50Ms,
        p99Ms,
        errors,
        dropped,
        cpuPercent,
        basis.with(reservation),
        rateBasis.with(reservation));
  }

  Basis basis(OverviewColumn column) {
    return switch (column) {
      case THROUGHPUT -> rateBasis;
      case ERRORS -> basis.withoutReads();
      case P50 -> basis.at(Percentile.P50, requests);
      case P99 -> basis.at(Percentile.P99, requests);
      default -> basis;
    };
  }
}
