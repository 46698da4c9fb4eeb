package io.quorate.report.findings;

import io.quorate.report.figures.StepFigures;
import io.quorate.results.RunEvent;
import io.quorate.results.requests.ClientResults.Second;
import io.quorate.scenario.LoadModel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Finds times of a second or more in which no request succeeded, and tells those in which the load
 * generator stood still from those of the store.
 */
public final class LongestStall {
  private static final double NANOS_PER_SECOND = 1e9;

  private LongestStall() {}

  /**
   * Returns the longest stall of the store, or if it had none, of the load generator; empty if
   * there is none.
   *
   * @param steps in their order
   * @param events of the run
   */
  public static Optional<Stall> of(List<StepFigures> steps, List<RunEvent> events) {
    List<Stall> all = new ArrayList<>();
    for (int i = 0; i < steps.size(); i++) {
      int number = i + 1;
      all.addAll(
          of(steps.get(i), events.stream().filter(event -> event.step() == number).toList()));
    }
    List<Stall> ofStore = all.stream().filter(stall -> !stall.ofLoadGenerator()).toList();
    List<Stall> told = ofStore.isEmpty() ? all : ofStore;
    double total = told.stream().mapToDouble(Stall::totalSeconds).sum();
    return told.stream()
        .max(Comparator.comparingDouble(Stall::longestSeconds))
        .map(stall -> stall.within(total));
  }

  private static List<Stall> of(StepFigures step, List<RunEvent> events) {
    List<RunEvent> gaps =
        events.stream().filter(event -> event.kind() == RunEvent.Kind.NO_SUCCESS).toList();
    if (!gaps.isEmpty()) {
      return gaps.stream().map(gap -> stall(step, gap, events)).toList();
    }
    if (step.longestWithoutSuccess().isPresent()) {
      double longest = step.longestWithoutSuccess().getAsDouble();
      return longest < 1
          ? List.of()
          : List.of(stall(step, longest, step.stalledSeconds().orElse(longest), true, false));
    }
    int seconds = secondsWithoutSuccess(step.wholeSeconds());
    return seconds == 0 ? List.of() : List.of(stall(step, seconds, seconds, false, false));
  }

  /** Takes a time without a success for the load generator's if less than a second is left. */
  private static Stall stall(StepFigures step, RunEvent gap, List<RunEvent> events) {
    long own =
        events.stream()
            .filter(event -> event.kind() == RunEvent.Kind.LOAD_GENERATOR_STALL)
            .mapToLong(gap::overlapNanos)
            .sum();
    double left = (gap.nanos() - own) / NANOS_PER_SECOND;
    double seconds = left >= 1 ? left : gap.nanos() / NANOS_PER_SECOND;
    return stall(step, seconds, seconds, true, left < 1);
  }

  private static Stall stall(
      StepFigures step, double longest, double total, boolean watched, boolean ofLoadGenerator) {
    OptionalLong rate =
        step.asked().model() instanceof LoadModel.Open open
            ? OptionalLong.of(open.ratePerSecond())
            : OptionalLong.empty();
    return new Stall(longest, total, step.asked().clients(), watched, rate, ofLoadGenerator);
  }

  /** Returns the largest number of seconds in a row without a success. */
  private static int secondsWithoutSuccess(List<Second> seconds) {
    int longest = 0;
    int present = 0;
    for (Second second : seconds) {
      present = second.throughput() == 0 ? present + 1 : 0;
      longest = Math.max(longest, present);
    }
    return longest;
  }
}
