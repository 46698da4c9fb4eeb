package io.quorate.report.findings;

import io.quorate.measure.EventCounts;
import io.quorate.report.figures.StepFigures;
import io.quorate.report.figures.WatchFigures;
import io.quorate.results.DatabaseRun;
import io.quorate.results.latency.Percentile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToLongFunction;

/**
 * The events of the watchers of a database, of all its steps, and the latency of the step with the
 * most watchers.
 *
 * @param expected events
 * @param coalesced how many were left out for a later state of the same key
 * @param lost of them
 * @param duplicated events that came again
 * @param reordered events that came out of order
 * @param watchers of that step
 * @param history of how many puts before the load they were told; 0 if of those of the load
 * @param lastMs until the last watcher had the event of half of the puts
 * @param putMs until half of the puts were answered
 */
public record WatchedEvents(
    long expected,
    long coalesced,
    long lost,
    long duplicated,
    long reordered,
    int watchers,
    int history,
    OptionalDouble lastMs,
    OptionalDouble putMs) {
  /** Returns the events of a run; empty if it had no watchers. */
  static Optional<WatchedEvents> of(DatabaseRun run) {
    List<WatchFigures> steps = WatchFigures.of(run);
    return steps.stream()
        .max(Comparator.comparingInt(step -> step.row().watchers()))
        .map(
            most ->
                new WatchedEvents(
                    sum(steps, EventCounts::expected),
                    sum(steps, EventCounts::coalesced),
                    sum(steps, EventCounts::lost),
                    sum(steps, EventCounts::duplicated),
                    sum(steps, EventCounts::reordered),
                    most.row().watchers(),
                    most.history(),
                    median(most.lastMs()),
                    median(StepFigures.of(run).get(most.row().step() - 1).percentilesMs())));
  }

  private static long sum(List<WatchFigures> steps, ToLongFunction<EventCounts> count) {
    return steps.stream().map(step -> step.row().counts()).mapToLong(count).sum();
  }

  private static OptionalDouble median(Map<Percentile, Double> percentiles) {
    Double value = percentiles.get(Percentile.P50);
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  private boolean isComplete() {
    return coalesced + lost == 0;
  }

  /** Returns {@code 74,076 of 333,300 events}. */
  private String coverage() {
    return "%s of %s events"
        .formatted(Prose.count(expected - coalesced - lost), Prose.count(expected));
  }

  /**
   * Returns the events that went wrong: {@code etcd delivered 36 of 40 (4 were lost) and repeated
   * 2}; empty if nothing did.
   */
  Optional<String> failures(String name) {
    List<String> parts = new ArrayList<>();
    if (!isComplete()) {
      List<String> missing = new ArrayList<>();
      if (coalesced > 0) {
        missing.add(Prose.count(coalesced) + " were coalesced");
      }
      if (lost > 0) {
        missing.add(Prose.count(lost) + " were lost");
      }
      parts.add(
          "delivered %s of %s (%s)"
              .formatted(
                  Prose.count(expected - coalesced - lost),
                  Prose.count(expected),
                  Prose.list(missing)));
    }
    if (duplicated > 0) {
      parts.add("repeated " + Prose.count(duplicated));
    }
    if (reordered > 0) {
      parts.add("reordered " + Prose.count(reordered));
    }
    return parts.isEmpty() ? Optional.empty() : Optional.of(name + " " + Prose.list(parts));
  }

  /** Returns {@code 5.000 ms on etcd (the put itself: 2.000 ms)}; empty if nothing was timed. */
  Optional<String> latency(String name) {
    if (lastMs.isEmpty()) {
      return Optional.empty();
    }
    String put =
        history > 0 || putMs.isEmpty()
            ? ""
            : " (half of its puts were answered within %s)"
                .formatted(Prose.ms(putMs.getAsDouble()));
    return Optional.of("%s on %s%s".formatted(Prose.ms(lastMs.getAsDouble()), name, put));
  }

  /** Returns the latency of a database whose watchers did not get all events, for that alone. */
  private Optional<String> partial(String name) {
    return isComplete()
        ? Optional.empty()
        : latency(name)
            .map(
                text ->
                    "With %s the last one had the event of half of the puts within %s; that is of %s only, so it is not compared"
                        .formatted(words(), text, coverage()));
  }

  private String words() {
    return watchers == 1 ? "1 watcher" : Prose.count(watchers) + " watchers";
  }

  /** Returns the sentences about those that had watchers, without full stops. */
  static List<String> sentences(List<Standing> standings) {
    List<Standing> watched =
        standings.stream().filter(standing -> standing.watched().isPresent()).toList();
    List<String> failures = new ArrayList<>();
    List<String> latencies = new ArrayList<>();
    List<String> intact = new ArrayList<>();
    for (Standing each : watched) {
      WatchedEvents events = each.watched().orElseThrow();
      events.failures(each.name()).ifPresentOrElse(failures::add, () -> intact.add(each.name()));
      if (events.isComplete()) {
        events.latency(each.name()).ifPresent(latencies::add);
      }
    }
    List<String> sentences = sentences(failures, intact, latencies, watched);
    watched.forEach(
        each -> each.watched().flatMap(it -> it.partial(each.name())).ifPresent(sentences::add));
    return sentences;
  }

  private static List<String> sentences(
      List<String> failures, List<String> intact, List<String> latencies, List<Standing> watched) {
    List<String> sentences = new ArrayList<>();
    if (!failures.isEmpty()) {
      sentences.add("Of the events of watchers, " + String.join("; ", failures));
    }
    if (!intact.isEmpty()) {
      sentences.add(
          "No event of the watchers of %s was lost, coalesced, repeated or reordered"
              .formatted(Prose.list(intact)));
    }
    if (!latencies.isEmpty()) {
      WatchedEvents one = watched.get(0).watched().orElseThrow();
      sentences.add(
          "With %s the last one had the event of half of the puts within %s"
              .formatted(one.words(), Prose.list(latencies)));
    }
    return sentences;
  }
}
