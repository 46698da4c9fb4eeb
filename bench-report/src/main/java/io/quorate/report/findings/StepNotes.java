// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.findings;

import static io.quorate.format.NumberFormats.commas;
import static io.quorate.format.NumberFormats.rate;

import io.quorate.format.NumberFormats;
import io.quorate.measure.EventCounts;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.figures.Reservation;
import io.quorate.report.figures.StepFigures;
import io.quorate.results.latency.Percentile;
import io.quorate.results.requests.OperationCounts;
import io.quorate.scenario.LoadModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

/** Footnotes about single steps: open loops, watchers, repeated attempts and connecting. */
record StepNotes(String id, boolean isComplete, List<StepFigures> steps) {
  static List<String> of(DatabaseFigures database) {
    StepNotes notes = new StepNotes(database.name(), database.isComplete(), database.steps());
    return Stream.<Function<StepFigures, Stream<String>>>of(
            notes::openLoop, notes::queue, notes::watch, notes::attempts, notes::connect)
        .flatMap(subject -> notes.steps.stream().flatMap(subject))
        .toList();
  }

  private Stream<String> openLoop(StepFigures step) {
    if (!(step.asked().model() instanceof LoadModel.Open open)
        || step.requests().counts().isEmpty()) {
      return Stream.empty();
    }
    OperationCounts counts = step.requests().counts().get();
    List<String> notes = new ArrayList<>();
    if (counts.dropped() > 0) {
      notes.add(
          "%1$s: %3$s of %2$s scheduled requests were dropped: %4$s already in flight (%5$s)"
              .formatted(
                  id,
                  commas(counts.intended()),
                  commas(counts.dropped()),
                  open.maxOutstanding() == 1 ? "1 was" : commas(open.maxOutstanding()) + " were",
                  step.atLoad()));
    }
    if (step.isLate()) {
      notes.add(
          ("%s: load generator late: send lag p99 %s ms; p99 response time %s ms, p99 service "
                  + "time %s ms (%s)")
              .formatted(
                  id,
                  fixed(step.lagMs().getOrDefault(Percentile.P99, 0.0)),
                  fixed(step.responseP99Ms()),
                  fixed(step.serviceP99Ms()),
                  step.atLoad()));
    }
    // what ended an incomplete run may be the cause
    if (isComplete && !StepFigures.heldRate(List.of(step))) {
      notes.add(
          "%1$s: %2$s: %4$s of %3$s requests per second succeeded (%5$s)"
              .formatted(
                  id,
                  step.isLate()
                          || step.isQueued()
                          || !Reservation.disqualifications(step.requests().basis()).isEmpty()
                      ? "the rate was not reached"
                      : "it could not sustain the rate",
                  commas(open.ratePerSecond()),
                  rate(step.requests().requestsPerSecond().orElse(0)),
                  step.atLoad()));
    }
    return notes.stream();
  }

  private Stream<String> queue(StepFigures step) {
    return step.isQueued()
        ? Stream.of(
            ("%s: requests waited for one of %s: p99 queue time %s ms, p99 response time %s ms; use"
                    + " more connections (%s) (%s)")
                .formatted(
                    id,
                    NumberFormats.count(step.asked().connections(), "connection"),
                    fixed(step.queueP99Ms()),
                    fixed(step.responseP99Ms()),
                    step.asked().isOpen() ? "--clients" : "load: connections",
                    step.atLoad()))
        : Stream.empty();
  }

  private Stream<String> watch(StepFigures step) {
    if (step.watch().isEmpty()) {
      return Stream.empty();
    }
    EventCounts counts = step.watch().get().counts();
    List<String> parts = new ArrayList<>();
    add(parts, counts.lost(), "were lost");
    add(parts, counts.coalesced(), "were coalesced with later ones of the same key");
    add(parts, counts.duplicated(), "came again");
    add(parts, counts.reordered(), "came out of order");
    if (parts.isEmpty()) {
      return Stream.empty();
    }
    String cut =
        counts.interruptions() == 0
            ? ""
            : "; watches were cut " + commas(counts.interruptions()) + " times";
    return Stream.of(
        "%s: of %s events of watchers %s were delivered; %s%s (%s)"
            .formatted(
                id,
                commas(counts.expected()),
                commas(counts.delivered()),
                String.join(", ", parts),
                cut,
                step.atLoad()));
  }

  private static void add(List<String> parts, long count, String what) {
    if (count > 0) {
      parts.add(commas(count) + " " + what);
    }
  }

  private Stream<String> attempts(StepFigures step) {
    return step.attempts().stream()
        .map(
            counts ->
                "%s: %s %s requests took %s attempts, of which %s met another client's write%s (%s)"
                    .formatted(
                        id,
                        commas(counts.requests()),
                        counts.operation(),
                        commas(counts.attempts()),
                        commas(counts.conflicts()),
                        step.durationSeconds().orElse(0) > 0
                            ? ", %s/s"
                                .formatted(
                                    NumberFormats.rate(
                                        counts.conflicts() / step.durationSeconds().getAsDouble()))
                            : "",
                        step.atLoad()));
  }

  private Stream<String> connect(StepFigures step) {
    Map<Percentile, Double> ms = step.connectMs();
    return ms.isEmpty()
        ? Stream.empty()
        : Stream.of(
            ("%s: connecting took %s ms (p50) and %s ms (p99), not included in the requests, "
                    + "each of which opened a connection (%s)")
                .formatted(
                    id,
                    fixed(Objects.requireNonNull(ms.get(Percentile.P50))),
                    fixed(Objects.requireNonNull(ms.get(Percentile.P99))),
                    step.atLoad()));
  }

  private static String fixed(double ms) {
    return NumberFormats.fixed(ms, 2);
  }
}
