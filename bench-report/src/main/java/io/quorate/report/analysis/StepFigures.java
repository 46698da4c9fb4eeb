package io.quorate.report.analysis;

import io.quorate.run.ClientResults;
import io.quorate.run.ClientResults.ErrorRow;
import io.quorate.run.ClientResults.Second;
import io.quorate.run.DatabaseRun;
import io.quorate.run.Percentile;
import io.quorate.run.StepCost;
import io.quorate.run.StepRow;
import io.quorate.scenario.Step;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;

/**
 * The result of one step of the load.
 *
 * @param asked of the load generator
 * @param seconds every one from the first to the last in which a request was sent; none if it is
 *     not known which are of this step
 * @param successes empty if they are not known by step, as the others
 * @param durationSeconds from the sending of the first request to the end of the last one
 * @param longestWithoutSuccess in seconds, at a stretch, to a millisecond
 * @param stalledSeconds the sum of such times of a second or more
 * @param percentilesMs empty if nothing succeeded
 */
public record StepFigures(
    Step asked,
    List<Second> seconds,
    OptionalLong successes,
    OptionalLong errors,
    OptionalDouble durationSeconds,
    OptionalDouble longestWithoutSuccess,
    OptionalDouble stalledSeconds,
    Map<Percentile, Double> percentilesMs) {
  private static final double NANOS_PER_MS = 1e6;
  private static final double NANOS_PER_SECOND = 1e9;

  public StepFigures {
    seconds = List.copyOf(seconds);
    EnumMap<Percentile, Double> copy = new EnumMap<>(Percentile.class);
    copy.putAll(percentilesMs);
    percentilesMs = Collections.unmodifiableMap(copy);
  }

  /** Returns all steps in their order. */
  public static List<StepFigures> of(DatabaseRun run) {
    List<Step> steps = run.manifest().load().steps();
    List<List<Second>> seconds = StepSeconds.of(run);
    List<StepFigures> figures = new ArrayList<>();
    for (int i = 0; i < steps.size(); i++) {
      figures.add(of(run, steps, i, seconds.get(i)));
    }
    return figures;
  }

  private static StepFigures of(DatabaseRun run, List<Step> steps, int index, List<Second> rows) {
    Step step = steps.get(index);
    Histogram latencies = run.latencies().ofStep(index + 1);
    Optional<StepRow> known =
        run.clients().stream()
            .flatMap(results -> results.steps().stream().skip(index).limit(1))
            .findFirst();
    return new StepFigures(
        step,
        rows,
        rows.isEmpty() ? OptionalLong.empty() : OptionalLong.of(throughputs(rows).sum()),
        rows.isEmpty()
            ? OptionalLong.empty()
            : known
                .map(row -> OptionalLong.of(row.failed()))
                .orElseGet(() -> errors(run.clients().get(), steps, step)),
        known
            .map(row -> OptionalDouble.of(row.durationNanos() / NANOS_PER_SECOND))
            .orElseGet(() -> earlierDuration(run, steps, index)),
        seconds(known.map(StepRow::longestNanosWithoutSuccess)),
        seconds(known.map(StepRow::stalledNanos)),
        percentiles(latencies));
  }

  private static OptionalDouble seconds(Optional<OptionalLong> nanos) {
    OptionalLong known = nanos.orElse(OptionalLong.empty());
    return known.isPresent()
        ? OptionalDouble.of(known.getAsLong() / NANOS_PER_SECOND)
        : OptionalDouble.empty();
  }

  /**
   * Returns the duration in runs without {@code steps.csv}: for one step all the time, else that of
   * its cost.
   */
  private static OptionalDouble earlierDuration(DatabaseRun run, List<Step> steps, int index) {
    if (steps.size() == 1) {
      return run.clients()
          .filter(results -> results.requestsPerSecond().isPresent())
          .map(results -> OptionalDouble.of(results.totalSeconds()))
          .orElseGet(OptionalDouble::empty);
    }
    return run.manifest().costs().stream()
        .filter(cost -> cost.step() == index + 1)
        .filter(cost -> cost.clients() == steps.get(index).clients())
        .mapToLong(StepCost::elapsedNanos)
        .mapToDouble(nanos -> nanos / NANOS_PER_SECOND)
        .findFirst();
  }

  /**
   * Returns the errors of a step; empty if not every error is known by its second, or if several
   * steps had as many clients.
   */
  private static OptionalLong errors(ClientResults results, List<Step> steps, Step step) {
    long known = results.errorRows().stream().mapToLong(ErrorRow::count).sum();
    long alike = steps.stream().filter(each -> each.clients() == step.clients()).count();
    return known != results.errorCount() || alike > 1
        ? OptionalLong.empty()
        : OptionalLong.of(
            results.errorRows().stream()
                .filter(row -> row.clients() == step.clients())
                .mapToLong(ErrorRow::count)
                .sum());
  }

  /**
   * Returns the seconds that lie wholly within the step while it still had requests to send. Its
   * first one began before it, and in its last one the requests ran out.
   */
  public List<Second> wholeSeconds() {
    return seconds.size() < 3 ? List.of() : seconds.subList(1, seconds.size() - 1);
  }

  /** Returns the most successes of a whole second; empty if there is none. */
  public OptionalLong maxThroughput() {
    return throughputs(wholeSeconds()).max();
  }

  /** Returns the least successes of a whole second; empty if there is none. */
  public OptionalLong minThroughput() {
    return throughputs(wholeSeconds()).min();
  }

  /** Returns successes by the duration of the step; empty if one of them is not known. */
  public OptionalDouble requestsPerSecond() {
    return successes.isPresent() && durationSeconds.orElse(0) > 0
        ? OptionalDouble.of(successes.getAsLong() / durationSeconds.getAsDouble())
        : OptionalDouble.empty();
  }

  /**
   * Returns the longest latency in milliseconds; empty if nothing succeeded or that is not known.
   */
  public OptionalDouble slowestMs() {
    return seconds.stream()
        .filter(second -> second.throughput() > 0)
        .mapToDouble(Second::maxMs)
        .max();
  }

  private static LongStream throughputs(List<Second> seconds) {
    return seconds.stream().mapToLong(Second::throughput);
  }

  /** Returns percentiles in milliseconds; none if there is no histogram, or nothing in it. */
  public static Map<Percentile, Double> percentiles(Histogram latencies) {
    Map<Percentile, Double> percentiles = new EnumMap<>(Percentile.class);
    if (latencies != null && latencies.getTotalCount() > 0) {
      for (Percentile percentile : Percentile.values()) {
        long nanos = percentile.of(latencies, latencies.getMinValue(), latencies.getMaxValue());
        percentiles.put(percentile, nanos / NANOS_PER_MS);
      }
    }
    return percentiles;
  }
}
