package io.quorate.report.study;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The least time that the requests of each cell can take, beside what they took. A run whose
 * requests were faster is impossible; a median that is far above is unexplained.
 */
final class RoundTripBounds {
  /** From how many times the least time on a median is named unexplained. */
  private static final double FAR_ABOVE = 5;

  private final List<CellResult> cells;

  RoundTripBounds(MatrixResults results) {
    this.cells = results.cells();
  }

  /** Returns the least time of a cell in words; empty if it is not known, or nothing. */
  static Optional<String> text(CellResult cell) {
    List<String> parts = new ArrayList<>();
    cell.roundTripsMs().stream().filter(ms -> ms > 0).forEach(ms -> parts.add(StudyTables.ms(ms)));
    syncMs(cell).ifPresent(ms -> parts.add(StudyTables.ms(ms) + " of syncing"));
    return parts.isEmpty() ? Optional.empty() : Optional.of(String.join(" + ", parts));
  }

  private static OptionalDouble syncMs(CellResult cell) {
    return cell.least(RoundTripBound::syncMs).stream().mapToDouble(Spread::mean).findFirst();
  }

  /** Returns sentences about median latencies that are below the least time. */
  List<String> impossible() {
    List<String> sentences = new ArrayList<>();
    for (CellResult cell : cells) {
      for (RepeatFigures run : cell.runs()) {
        run.least()
            .filter(least -> run.p50Ms() < least.floorMs())
            .ifPresent(
                least ->
                    sentences.add(
                        "Impossible: half of the requests of %s, repeat %s, took at most %s, less than the %s that their round trips take: the figures of this run are wrong, or its leader changed."
                            .formatted(
                                cell.cell().label(),
                                run.repeat(),
                                StudyTables.ms(run.p50Ms()),
                                StudyTables.ms(least.floorMs()))));
      }
    }
    return sentences;
  }

  /** Returns sentences about cells of one client whose median is far above the least time. */
  List<String> unexplained() {
    List<String> sentences = new ArrayList<>();
    for (CellResult cell : cells) {
      boolean alone = cell.facts().filter(facts -> facts.clients() == 1).isPresent();
      double roundTrips = cell.roundTripsMs().orElse(0);
      OptionalDouble sync = syncMs(cell);
      double least = roundTrips + sync.orElse(0);
      cell.spread(RepeatFigures::p50Ms)
          .filter(p50 -> alone && roundTrips > 0 && p50.mean() > FAR_ABOVE * least)
          .ifPresent(
              p50 ->
                  sentences.add(
                      "%s%s take %s of the %s of %s; they do not explain the rest."
                          .formatted(
                              "Round trips",
                              sync.isPresent() ? " and syncing a log to disk" : "",
                              StudyTables.ms(least),
                              StudyTables.ms(p50.mean()),
                              cell.cell().label())));
    }
    return sentences;
  }
}
