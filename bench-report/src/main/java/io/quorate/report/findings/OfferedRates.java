package io.quorate.report.findings;

import io.quorate.report.findings.Standing.OfLoad;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Says which databases held the rates that an open loop offered. */
final class OfferedRates {
  /** Part of the rate that has to succeed for the rate to be held. */
  private static final double HELD = 0.95;

  private OfferedRates() {}

  /** Returns the sentence, with its full stop; empty if no rate is known. */
  static Optional<String> sentence(List<Standing> standings) {
    List<Long> rates =
        standings.stream()
            .flatMap(standing -> standing.steps().stream())
            .map(OfLoad::load)
            .distinct()
            .sorted()
            .toList();
    if (rates.isEmpty()) {
      return Optional.empty();
    }
    List<String> held = new ArrayList<>();
    List<String> parts = new ArrayList<>();
    for (Standing standing : standings) {
      if (standing.steps().stream().allMatch(OfferedRates::isHeld)) {
        held.add(standing.name());
      } else {
        parts.add(standing.name() + " " + notHeld(standing, rates.size() == 1));
      }
    }
    if (!held.isEmpty()) {
      parts.add(0, Prose.list(held) + " held " + (rates.size() == 1 ? "that rate" : "all of them"));
    }
    String offered =
        rates.size() == 1
            ? "%s request%s per second were offered"
                .formatted(Prose.count(rates.get(0)), rates.get(0) == 1 ? "" : "s")
            : "Rates of %s to %s requests per second were offered"
                .formatted(Prose.count(rates.get(0)), Prose.count(rates.get(rates.size() - 1)));
    return Optional.of(offered + ": " + String.join("; ", parts) + ".");
  }

  /** Blames the store only for a rate at which the load generator was on time. */
  private static String notHeld(Standing standing, boolean onlyRate) {
    List<OfLoad> missed = standing.steps().stream().filter(step -> !isHeld(step)).toList();
    Optional<OfLoad> overloaded = missed.stream().filter(step -> !step.late()).findFirst();
    OfLoad told = overloaded.orElse(missed.get(0));
    Optional<OfLoad> before =
        standing.steps().stream()
            .takeWhile(step -> step != missed.get(0))
            .reduce((one, next) -> next);
    return before.map(step -> "held up to " + Prose.count(step.load()) + ", and ").orElse("")
        + (overloaded.isPresent() ? "was offered more than it can take" : "did not reach")
        + rate(told, overloaded.isPresent(), onlyRate)
        + " (%s per second succeeded".formatted(Prose.perSecond(told.requestsPerSecond().orElse(0)))
        + (overloaded.isPresent() ? ")" : "), but there the load generator sent requests late");
  }

  private static String rate(OfLoad step, boolean overloaded, boolean onlyRate) {
    if (onlyRate) {
      return overloaded ? "" : " that rate";
    }
    return (overloaded ? " at " : " ") + Prose.count(step.load());
  }

  private static boolean isHeld(OfLoad step) {
    return step.requestsPerSecond().orElse(0) >= HELD * step.load();
  }
}
