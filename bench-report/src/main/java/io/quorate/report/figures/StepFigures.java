package io.quorate.report.figures;

import io.quorate.results.DatabaseRun;
import io.quorate.results.latency.LatencyInterval;
import io.quorate.results.latency.Percentile;
import io.quorate.results.manifest.MergedShard;
import io.quorate.results.manifest.ShardStart;
import io.quorate.results.requests.ClientResults.Second;
import io.quorate.results.requests.StepRow;
import io.quorate.scenario.LoadModel;
import io.quorate.scenario.Step;
import java.util.ArrayList;
import java.util.Arrays;
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
 * @param began when its first request was sent, in seconds since 1970; empty if that is not known
 */
public record StepFigures(
    Step asked,
    List<Second> seconds,
    OptionalLong successes,
    OptionalLong errors,
    OptionalDouble durationSeconds,
    OptionalDouble longestWithoutSuccess,
    OptionalDouble stalledSeconds,
    Map<Percentile, Double> percentilesMs,
    OptionalDouble began) {
  private static final double NANOS_PER_MS = 1e6;
  private static final double MS_PER_SECOND = 1000;

  /** Resolution in seconds of the times in {@code latency.hlog}, twice. */
  private static final double RESOLUTION = 0.002;

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
        rows.isEmpty() ? OptionalLong.empty() : OptionalLong.of(known.orElseThrow().failed()),
        known
            .map(row -> OptionalDouble.of(row.durationNanos() / NANOS_PER_SECOND))
            .orElse(OptionalDouble.empty()),
        seconds(known.map(StepRow::longestNanosWithoutSuccess)),
        seconds(known.map(StepRow::stalledNanos)),
        percentiles(latencies),
        rows.isEmpty() || known.isEmpty() ? OptionalDouble.empty() : began(run, known.get(), rows));
  }

  /**
   * Returns when the step began: in a merged run as its first shard, else as its first interval of
   * latencies. Empty if that contradicts its seconds, as in runs whose first second had no success.
   */
  private static OptionalDouble began(DatabaseRun run, StepRow step, List<Second> rows) {
    OptionalDouble known =
        run.manifest().shards().isEmpty()
            ? run.latencies().intervals().stream()
                .filter(interval -> interval.tag().step() == step.number())
                .mapToLong(LatencyInterval::startMillis)
                .mapToDouble(millis -> millis / MS_PER_SECOND)
                .min()
            : run.manifest().shards().stream()
                .filter(MergedShard::isMerged)
                .flatMap(shard -> shard.starts().stream())
                .filter(start -> start.step() == step.number())
                .map(ShardStart::sharedTime)
                .mapToDouble(time -> time.toEpochMilli() / MS_PER_SECOND)
                .min();
    double first = rows.get(0).unixSecond();
    double last = rows.get(rows.size() - 1).unixSecond();
    double duration = step.durationNanos() / NANOS_PER_SECOND;
    return known.stream()
        .filter(time -> time >= first && time < first + 1)
        .filter(time -> time + duration > last - RESOLUTION)
        .findFirst();
  }

  private static OptionalDouble seconds(Optional<OptionalLong> nanos) {
    OptionalLong known = nanos.orElse(OptionalLong.empty());
    return known.isPresent()
        ? OptionalDouble.of(known.getAsLong() / NANOS_PER_SECOND)
        : OptionalDouble.empty();
  }

  /**
   * Returns the seconds that lie wholly within the step while it still had requests to send. Its
   * first one began before it, and in its last one the requests ran out.
   */
  public List<Second> wholeSeconds() {
    return seconds.size() < 3 ? List.of() : seconds.subList(1, seconds.size() - 1);
  }

  /**
   * Returns for which part of each second requests were sent, 0 to 1. The last part ends with the
   * last request; at a constant rate it ends when the last request was due. All are 1 if it is not
   * known when the step began.
   */
  public double[] coveredSeconds() {
    double[] covered = new double[seconds.size()];
    for (int i = 0; i < covered.length; i++) {
      double second = seconds.get(i).unixSecond();
      covered[i] =
          began.isEmpty()
              ? 1
              : Math.max(
                  0, Math.min(endOfSending(), second + 1) - Math.max(began.getAsDouble(), second));
    }
    return covered;
  }

  private double endOfSending() {
    double end = began.getAsDouble() + durationSeconds.orElse(0);
    if (asked.model() instanceof LoadModel.Open open
        && open.arrivals() == LoadModel.Arrivals.UNIFORM) {
      double due = began.getAsDouble() + (double) asked.requests() / open.ratePerSecond();
      return due > seconds.get(seconds.size() - 1).unixSecond() ? Math.min(due, end) : end;
    }
    return end;
  }

  /**
   * Returns successes per second over parts that together last as long as the step: its seconds, of
   * which the first begins with the first request and the last ends with the last one.
   */
  private double[] rates() {
    double[] lengths = coveredSeconds();
    if (lengths.length > 0) {
      int last = lengths.length - 1;
      double from = Math.max(began.getAsDouble(), seconds.get(last).unixSecond());
      lengths[last] = Math.max(0, began.getAsDouble() + durationSeconds.orElse(0) - from);
    }
    return SecondRates.of(throughputs(seconds).asDoubleStream().toArray(), lengths);
  }

  /** Rounds down, but not what is whole within the resolution of the times. */
  private static long whole(double rate) {
    return (long) (rate + 1e-3);
  }

  private List<Second> typicalSeconds() {
    long most = throughputs(wholeSeconds()).max().orElse(0);
    return most < (long) requestsPerSecond().orElse(0) ? List.of() : wholeSeconds();
  }

  /**
   * Returns the most successes per second, rounded down, over the parts of its time; of whole
   * seconds if it is not known when the step began. Empty if there is none, or if the mean of the
   * step is higher.
   */
  public OptionalLong maxThroughput() {
    return began.isEmpty()
        ? throughputs(typicalSeconds()).max()
        : Arrays.stream(rates()).mapToLong(StepFigures::whole).max();
  }

  /** Returns the least successes per second, as {@link #maxThroughput}. */
  public OptionalLong minThroughput() {
    return began.isEmpty()
        ? throughputs(typicalSeconds()).min()
        : Arrays.stream(rates()).mapToLong(StepFigures::whole).min();
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
