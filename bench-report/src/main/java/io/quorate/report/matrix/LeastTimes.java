package io.quorate.report.matrix;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The least time that the requests of a cell can take, beside what they took: the round trips on
 * their path, as the semantics of the operations ask for them, times the round trips that were
 * measured. A request that was faster is impossible; a median that is far above is unexplained.
 */
final class LeastTimes {
  /** From how many times the least time on a median is named unexplained. */
  private static final double FAR_ABOVE = 5;

  private final Map<CellResult, Double> leastMs = new LinkedHashMap<>();

  LeastTimes(MatrixResults results) {
    for (CellResult cell : results.cells()) {
      OptionalDouble least = cell.leastMs();
      least.ifPresent(ms -> leastMs.put(cell, ms));
    }
  }

  /** Returns the least time of a cell in words; empty if no round trip was measured. */
  Optional<String> text(CellResult cell) {
    return Optional.ofNullable(leastMs.get(cell)).map(StudyTables::ms);
  }

  /** Returns sentences about median latencies that are below the least time. */
  List<String> impossible() {
    List<String> sentences = new ArrayList<>();
    leastMs.forEach(
        (cell, least) -> {
          for (RunFigures run : cell.runs()) {
            if (run.p50Ms() < least) {
              sentences.add(
                  "Impossible: half of the requests of %s, repeat %s, took at most %s, less than the %s that their round trips take: the figures of this run are wrong."
                      .formatted(
                          cell.cell().label(),
                          run.repeat(),
                          StudyTables.ms(run.p50Ms()),
                          StudyTables.ms(least)));
            }
          }
        });
    return sentences;
  }

  /** Returns sentences about cells of one client whose median is far above the least time. */
  List<String> unexplained() {
    List<String> sentences = new ArrayList<>();
    leastMs.forEach(
        (cell, least) ->
            cell.spread(RunFigures::p50Ms)
                .filter(any -> cell.facts().filter(facts -> facts.clients() == 1).isPresent())
                .filter(p50 -> p50.median() > FAR_ABOVE * least)
                .ifPresent(
                    p50 ->
                        sentences.add(
                            "Round trips take %s of the %s of %s; they do not explain the rest."
                                .formatted(
                                    StudyTables.ms(least),
                                    StudyTables.ms(p50.median()),
                                    cell.cell().label()))));
    return sentences;
  }
}
