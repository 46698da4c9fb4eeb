// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import io.quorate.format.NumberFormats;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * The most and the least successes per second of all seconds of the steps. The seconds together are
 * as long as the steps, so that the mean of the run lies between these values. If the start of a
 * step is unknown, only its complete seconds are used.
 *
 * @param average mean successes per second of the run
 * @param seconds time of all steps together, in seconds
 */
public record ThroughputRange(List<StepFigures> steps, double average, double seconds) {
  /** Distance up to which the values of steps are rounded to the nearest number. */
  static final double ROUNDING = 1e-3;

  /** Returns the most; empty if the mean of the run lies outside of the range. */
  public OptionalLong max() {
    return isContradictory() ? OptionalLong.empty() : known(StepFigures::maxThroughput).max();
  }

  /** Returns the least; empty if the mean of the run lies outside of the range. */
  public OptionalLong min() {
    return isContradictory() ? OptionalLong.empty() : known(StepFigures::minThroughput).min();
  }

  private LongStream known(Function<StepFigures, OptionalLong> figure) {
    return steps.stream().flatMapToLong(step -> figure.apply(step).stream());
  }

  private boolean isContradictory() {
    return whole() > 0
        && (known(StepFigures::maxThroughput).max().orElse(0) < average - ROUNDING
            || known(StepFigures::minThroughput).min().orElse(0) > average + ROUNDING);
  }

  /**
   * Returns the reason why there are no values; empty if there are both, or if there was no
   * request.
   */
  public Optional<String> missing() {
    if (max().isPresent() || known(StepFigures::successes).findAny().isEmpty()) {
      return Optional.empty();
    }
    if (isContradictory()) {
      return Optional.of(
          "MAX-THROUGHPUT and MIN-THROUGHPUT are left out, as the %s that %s wholly within a step %s not typical of all %s s"
              .formatted(
                  NumberFormats.count(whole(), "second"),
                  lie(),
                  whole() == 1 ? "is" : "are",
                  shown()));
    }
    return Optional.of(
        ("MAX-THROUGHPUT and MIN-THROUGHPUT are unknown: no step has a full one-second "
                + "interval (all requests took %s s)")
            .formatted(shown()));
  }

  /** Returns a note about the values; empty if none is necessary. */
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
    if (without.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        ("MAX-THROUGHPUT and MIN-THROUGHPUT cover the %s that %s wholly within a step%s, "
                + "AVG-THROUGHPUT covers all %s s")
            .formatted(
                NumberFormats.count(whole(), "second"),
                lie(),
                " (none with " + without + " clients)",
                shown()));
  }

  private long whole() {
    return steps.stream().mapToLong(step -> step.wholeSeconds().size()).sum();
  }

  private String lie() {
    return whole() == 1 ? "lies" : "lie";
  }

  private String shown() {
    return NumberFormats.fixed(seconds, seconds < 1 ? 3 : 1);
  }
}
