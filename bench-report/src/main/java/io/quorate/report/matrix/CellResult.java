package io.quorate.report.matrix;

import io.quorate.run.MatrixManifest.Cell;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * What became of a cell.
 *
 * @param facts of its first run that is complete; empty if there is none
 * @param runs that are complete, in the order of the repeats
 * @param troubles sentences about the others
 * @param leastMs the least time that its requests can take; empty if that is not known
 */
public record CellResult(
    Cell cell,
    Optional<CellFacts> facts,
    List<RunFigures> runs,
    List<String> troubles,
    OptionalDouble leastMs) {
  public CellResult {
    runs = List.copyOf(runs);
    troubles = List.copyOf(troubles);
  }

  Map<String, String> coordinates() {
    return cell.coordinates();
  }

  /** Returns the spread of a figure; empty if no run is complete. */
  Optional<Spread> spread(ToDoubleFunction<RunFigures> figure) {
    return runs.isEmpty()
        ? Optional.empty()
        : Optional.of(Spread.of(runs.stream().mapToDouble(figure).toArray()));
  }

  /** Returns the spread of the mean latencies; empty if no run is complete. */
  Optional<Spread> meanMs() {
    return spread(RunFigures::meanMs);
  }
}
