package io.quorate.report.verdict;

import io.quorate.report.analysis.StepFigures;
import io.quorate.run.ClientResults.Second;
import io.quorate.scenario.LoadModel;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Finds times of a second or more in which no request succeeded. */
public final class LongestStall {
  private LongestStall() {}

  /** Returns the longest stall of a run; empty if there is none. */
  public static Optional<Stall> of(List<StepFigures> steps) {
    double total = steps.stream().mapToDouble(step -> step.stalledSeconds().orElse(0)).sum();
    return steps.stream()
        .flatMap(step -> of(step, total).stream())
        .max(Comparator.comparingDouble(Stall::longestSeconds));
  }

  private static Optional<Stall> of(StepFigures step, double total) {
    int clients = step.asked().clients();
    OptionalLong rate =
        step.asked().model() instanceof LoadModel.Open open
            ? OptionalLong.of(open.ratePerSecond())
            : OptionalLong.empty();
    if (step.longestWithoutSuccess().isPresent()) {
      return Optional.of(
              new Stall(step.longestWithoutSuccess().getAsDouble(), total, clients, true, rate))
          .filter(stall -> stall.longestSeconds() >= 1);
    }
    return Optional.of(secondsWithoutSuccess(step.wholeSeconds()))
        .filter(seconds -> seconds > 0)
        .map(seconds -> new Stall(seconds, seconds, clients, false, rate));
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
