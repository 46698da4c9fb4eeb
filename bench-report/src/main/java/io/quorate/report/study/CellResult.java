package io.quorate.report.study;

import io.quorate.report.figures.Basis;
import io.quorate.results.MatrixManifest.Cell;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * What became of a cell.
 *
 * @param facts of its first run that is complete; empty if there is none
 * @param runs that are complete, in the order of the repeats
 * @param troubles sentences about the others
 */
public record CellResult(
    Cell cell, Optional<CellInfo> facts, List<RepeatFigures> runs, List<String> troubles) {
  public CellResult {
    runs = List.copyOf(runs);
    troubles = List.copyOf(troubles);
  }

  Map<String, String> coordinates() {
    return cell.coordinates();
  }

  /** Returns the basis of its figures, of all runs together. */
  Basis basis() {
    return runs.stream().map(RepeatFigures::basis).reduce(Basis::plus).orElse(Basis.UNKNOWN);
  }

  /** Returns the spread of a figure; empty if no run is complete. */
  Optional<Spread> spread(ToDoubleFunction<RepeatFigures> figure) {
    return runs.isEmpty()
        ? Optional.empty()
        : Optional.of(Spread.of(runs.stream().mapToDouble(figure).toArray()));
  }

  /** Returns the spread of a time of the least times of its runs; empty if a run has none of it. */
  Optional<Spread> least(Function<RoundTripBound, OptionalDouble> time) {
    List<Double> known =
        runs.stream()
            .flatMap(run -> run.least().stream())
            .map(time)
            .flatMap(each -> each.stream().boxed())
            .toList();
    return known.isEmpty() || known.size() < runs.size()
        ? Optional.empty()
        : Optional.of(Spread.of(known.stream().mapToDouble(Double::doubleValue).toArray()));
  }

  /** Returns the time of the round trips on the path of its requests; empty if not known. */
  OptionalDouble roundTripsMs() {
    return least(time -> OptionalDouble.of(time.roundTripsMs()))
        .map(spread -> OptionalDouble.of(spread.mean()))
        .orElse(OptionalDouble.empty());
  }

  /** Returns the spread of the mean latencies; empty if no run is complete. */
  Optional<Spread> meanMs() {
    return spread(RepeatFigures::meanMs);
  }
}
