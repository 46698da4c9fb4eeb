package io.quorate.report.findings;

import io.quorate.format.NumberFormats;
import io.quorate.report.figures.StepFigures;
import io.quorate.results.RunEvent;
import io.quorate.results.requests.ClientResults.Second;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A time of a second or more in which no request succeeded.
 *
 * @param longestSeconds the longest such time of a run
 * @param totalSeconds all such times together
 * @param step in which the longest one was
 * @param watched whether it was measured when requests ended; if not, only the whole seconds are
 *     known of which no request that was sent in them succeeded
 * @param ofLoadGenerator whether the load generator stalled, so that it is not the store's
 */
public record Stall(
    double longestSeconds,
    double totalSeconds,
    StepFigures step,
    boolean watched,
    boolean ofLoadGenerator) {
  private static final double NANOS_PER_SECOND = 1e9;

  /**
   * Returns the longest stall of the store, or if it had none, of the load generator; empty if
   * there is none.
   *
   * @param steps in their order
   * @param events of the run
   */
  static Optional<Stall> longest(List<StepFigures> steps, List<RunEvent> events) {
    List<Stall> all = new ArrayList<>();
    for (StepFigures step : steps) {
      all.addAll(of(step, events.stream().filter(event -> event.step() == step.number()).toList()));
    }
    List<Stall> ofStore = all.stream().filter(stall -> !stall.ofLoadGenerator()).toList();
    List<Stall> told = ofStore.isEmpty() ? all : ofStore;
    double total = told.stream().mapToDouble(Stall::totalSeconds).sum();
    return told.stream()
        .max(Comparator.comparingDouble(Stall::longestSeconds))
        .map(
            stall ->
                new Stall(
                    stall.longestSeconds, total, stall.step, stall.watched, stall.ofLoadGenerator));
  }

  private static List<Stall> of(StepFigures step, List<RunEvent> events) {
    List<RunEvent> gaps =
        events.stream().filter(event -> event.kind() == RunEvent.Kind.NO_SUCCESS).toList();
    if (!gaps.isEmpty()) {
      return gaps.stream().map(gap -> of(step, gap, events)).toList();
    }
    if (step.longestWithoutSuccess().isPresent()) {
      double longest = step.longestWithoutSuccess().getAsDouble();
      return longest < 1
          ? List.of()
          : List.of(new Stall(longest, step.stalledSeconds().orElse(longest), step, true, false));
    }
    int seconds = secondsWithoutSuccess(step.wholeSeconds());
    return seconds == 0 ? List.of() : List.of(new Stall(seconds, seconds, step, false, false));
  }

  /** Takes a time without a success for the load generator's if less than a second is left. */
  private static Stall of(StepFigures step, RunEvent gap, List<RunEvent> events) {
    long own =
        events.stream()
            .filter(event -> event.kind() == RunEvent.Kind.LOAD_GENERATOR_STALL)
            .mapToLong(gap::overlapNanos)
            .sum();
    double left = (gap.nanos() - own) / NANOS_PER_SECOND;
    double seconds = left >= 1 ? left : gap.nanos() / NANOS_PER_SECOND;
    return new Stall(seconds, seconds, step, true, left < 1);
  }

  /** Returns the largest number of consecutive seconds without a success. */
  private static int secondsWithoutSuccess(List<Second> seconds) {
    int longest = 0;
    int present = 0;
    for (Second second : seconds) {
      present = second.throughput() == 0 ? present + 1 : 0;
      longest = Math.max(longest, present);
    }
    return longest;
  }

  /** Returns a sentence about it without a full stop. */
  String text(String database) {
    String load = (step.asked().isOpen() ? "at " : "with ") + step.loadText();
    if (ofLoadGenerator) {
      return "%s: no request succeeded for %s s because the load generator stalled (%s)"
          .formatted(database, NumberFormats.fixed(longestSeconds, 1), load);
    }
    String hidden =
        step.asked().isOpen()
            ? ""
            : "; at most %s in flight meanwhile, so percentiles hardly show it"
                .formatted(
                    step.load() == 1
                        ? "1 request was"
                        : NumberFormats.commas(step.load()) + " requests were");
    if (!watched) {
      return "%s: no request that was sent in %s succeeded (%s)%s"
          .formatted(
              database,
              longestSeconds == 1
                  ? "one whole second"
                  : NumberFormats.fixed(longestSeconds, 0) + " consecutive seconds",
              load,
              hidden);
    }
    String all =
        totalSeconds - longestSeconds < 0.05
            ? ""
            : ", and for %s s in all such times of a second or more"
                .formatted(NumberFormats.fixed(totalSeconds, 1));
    return "%s: no request succeeded for %s s (%s)%s%s"
        .formatted(database, NumberFormats.fixed(longestSeconds, 1), load, all, hidden);
  }
}
