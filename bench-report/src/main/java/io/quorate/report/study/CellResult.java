// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.study;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.quorate.report.compare.RunValues.Row;
import io.quorate.report.figures.Basis;
import io.quorate.report.figures.Reservation;
import io.quorate.report.judge.Sample;
import io.quorate.report.judge.Sample.Kind;
import io.quorate.results.MatrixManifest.Cell;
import io.quorate.results.latency.Percentile;
import io.quorate.scenario.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * The outcome of a cell.
 *
 * @param facts facts of its first complete run; empty if there is none
 * @param runs complete runs, in the order of the repeats
 * @param troubles sentences about incomplete runs
 */
@JsonPropertyOrder({
  "cell",
  "facts",
  "meanMs",
  "p50Ms",
  "p99Ms",
  "requestsPerSecond",
  "runs",
  "notComplete"
})
public record CellResult(
    @JsonUnwrapped Cell cell,
    @JsonUnwrapped Optional<CellInfo> facts,
    List<RepeatFigures> runs,
    @JsonProperty("notComplete") List<String> troubles) {
  Map<String, String> coordinates() {
    return cell.coordinates();
  }

  /** Returns its values on all axes in words. */
  String name() {
    return coordinates().entrySet().stream()
        .map(each -> MatrixLayout.words(each.getKey(), each.getValue()))
        .collect(Collectors.joining(", "));
  }

  Basis basis() {
    return runs.stream().map(RepeatFigures::basis).reduce(Basis::plus).orElse(Basis.UNKNOWN);
  }

  /** Returns the basis of the throughput; one of requests that were sent late says nothing. */
  Basis rateBasis() {
    Basis basis = basis().atRate();
    boolean late =
        runs.stream()
            .flatMap(run -> run.bases().values().stream())
            .anyMatch(each -> each.own().contains(Reservation.LATE));
    return late ? basis.with(Reservation.LATE) : basis;
  }

  /** Returns the rows of the throughput, whose groups name the rates of an open loop. */
  Set<Row> rates() {
    return runs.stream()
        .flatMap(run -> run.values().keySet().stream())
        .filter(row -> row.metric() == Metric.THROUGHPUT)
        .collect(Collectors.toSet());
  }

  /** Returns the basis of a percentile, which the run with the fewest successes has to carry. */
  Basis basis(Percentile percentile) {
    long successes = runs.stream().mapToLong(run -> run.requests() - run.errors()).min().orElse(0);
    return basis().at(percentile, successes);
  }

  /** Returns the values of a row of the runs that have one. */
  Sample sample(Row row) {
    return new Sample(
        Kind.of(row.metric()),
        runs.stream()
            .filter(run -> run.values().containsKey(row))
            .mapToDouble(run -> run.values().get(row))
            .toArray());
  }

  Optional<Spread> spread(ToDoubleFunction<RepeatFigures> figure) {
    return runs.isEmpty()
        ? Optional.empty()
        : Optional.of(Spread.of(runs.stream().mapToDouble(figure).toArray()));
  }

  /** Returns the mean of one component of its runs' least times; empty if a run lacks it. */
  OptionalDouble least(Function<RoundTripBound, OptionalDouble> time) {
    double[] known =
        runs.stream()
            .flatMap(run -> run.least().stream())
            .map(time)
            .flatMapToDouble(OptionalDouble::stream)
            .toArray();
    return known.length == 0 || known.length < runs.size()
        ? OptionalDouble.empty()
        : OptionalDouble.of(Spread.of(known).mean());
  }

  /** Returns the time of the round trips on the path of its requests; empty if it is not known. */
  OptionalDouble roundTripsMs() {
    return least(time -> OptionalDouble.of(time.roundTripsMs()));
  }

  /** Returns the mean time of syncing a log, of all runs; empty if not known. */
  OptionalDouble syncMs() {
    return least(RoundTripBound::syncMs);
  }

  /** Returns the least time of its requests in words; empty if it is not known, or 0. */
  Optional<String> leastTime() {
    List<String> parts = new ArrayList<>();
    roundTripsMs().stream().filter(ms -> ms > 0).forEach(ms -> parts.add(StudyTables.ms(ms)));
    syncMs().ifPresent(ms -> parts.add(StudyTables.ms(ms) + " of syncing"));
    return parts.isEmpty() ? Optional.empty() : Optional.of(String.join(" + ", parts));
  }

  @JsonProperty
  Optional<Spread> meanMs() {
    return spread(RepeatFigures::meanMs);
  }

  @JsonProperty
  Optional<Spread> p50Ms() {
    return spread(RepeatFigures::p50Ms);
  }

  @JsonProperty
  Optional<Spread> p99Ms() {
    return spread(RepeatFigures::p99Ms);
  }

  @JsonProperty
  Optional<Spread> requestsPerSecond() {
    return spread(RepeatFigures::requestsPerSecond);
  }
}
