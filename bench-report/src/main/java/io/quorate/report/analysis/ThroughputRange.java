package io.quorate.report.analysis;

import io.quorate.run.ClientResults;
import io.quorate.run.NumberFormats;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * The most and the least successes of a second, over the whole seconds of all steps: those that
 * belong to one step alone, in all of which it had requests to send.
 */
public final class ThroughputRange {
  private final List<StepFigures> steps;
  private final ClientResults results;

  public ThroughputRange(List<StepFigures> steps, ClientResults results) {
    this.steps = List.copyOf(steps);
    this.results = results;
  }

  public OptionalLong max() {
    return steps.stream().flatMapToLong(step -> step.maxThroughput().stream()).max();
  }

  public OptionalLong min() {
    return steps.stream().flatMapToLong(step -> step.minThroughput().stream()).min();
  }

  /**
   * Returns the reason why there is neither; empty if there are both, or if there was no request.
   */
  public Optional<String> missing() {
    if (max().isPresent() || results.seconds().isEmpty()) {
      return Optional.empty();
    }
    boolean known = steps.stream().anyMatch(step -> !step.seconds().isEmpty());
    return Optional.of(
        known
            ? "MAX-THROUGHPUT and MIN-THROUGHPUT are not known, as there is no second in all of which a step had requests to send (all requests took %s s)"
                .formatted(seconds())
            : "MAX-THROUGHPUT and MIN-THROUGHPUT are not known, as the files do not tell which"
                + " second belongs to which step");
  }

  /** Returns a note about them; empty if none is needed. */
  public Optional<String> note() {
    if (max().isEmpty()) {
      return missing();
    }
    String without =
        steps.stream()
            .filter(step -> step.maxThroughput().isEmpty())
            .map(step -> NumberFormats.commas(step.asked().clients()))
            .distinct()
            .collect(Collectors.joining(", "));
    double average = results.requestsPerSecond().orElse(Double.NaN);
    boolean besides = max().getAsLong() < (long) average || min().getAsLong() > average;
    if (without.isEmpty() && !besides) {
      return Optional.empty();
    }
    long whole = steps.stream().mapToLong(step -> step.wholeSeconds().size()).sum();
    return Optional.of(
        "MAX-THROUGHPUT and MIN-THROUGHPUT are of the %s that %s wholly within a step%s, AVG-THROUGHPUT is of all %s s"
            .formatted(
                whole == 1 ? "1 second" : NumberFormats.commas(whole) + " seconds",
                whole == 1 ? "lies" : "lie",
                without.isEmpty() ? "" : " (none with " + without + " clients)",
                seconds()));
  }

  private String seconds() {
    return NumberFormats.fixed(results.totalSeconds(), results.totalSeconds() < 1 ? 3 : 1);
  }
}
