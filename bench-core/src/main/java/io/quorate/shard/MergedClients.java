package io.quorate.shard;

import io.quorate.measure.ErrorTally;
import io.quorate.measure.Latencies;
import io.quorate.measure.LatencyRecorder;
import io.quorate.measure.OperationMeasurement;
import io.quorate.measure.SecondMeasurement;
import io.quorate.measure.StepMeasurement;
import io.quorate.results.latency.LatencyTag;
import io.quorate.results.manifest.LoadFacts;
import io.quorate.results.manifest.ShardStart;
import io.quorate.results.requests.AttemptCounts;
import io.quorate.results.requests.ClientResults;
import io.quorate.scenario.Step;
import io.quorate.store.Operation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/** Adds up what shards measured, step by step, operation by operation, second by second. */
final class MergedClients {
  private static final double NANOS_PER_MS = 1e6;

  private final List<ShardRun> shards;
  private final LoadFacts whole;
  private final MergedLatencies latencies;

  /**
   * @param shards that are complete
   * @param whole the load of all together
   * @param latencies that were written
   */
  MergedClients(List<ShardRun> shards, LoadFacts whole, MergedLatencies latencies) {
    this.shards = List.copyOf(shards);
    this.whole = whole;
    this.latencies = latencies;
  }

  List<StepMeasurement> steps() {
    List<StepMeasurement> steps = new ArrayList<>();
    for (int number = 1; number <= whole.steps().size(); number++) {
      steps.add(step(number, whole.steps().get(number - 1)));
    }
    return steps;
  }

  private StepMeasurement step(int number, Step step) {
    List<OperationMeasurement> operations = new ArrayList<>();
    TreeMap<Long, SecondMeasurement> seconds = new TreeMap<>();
    Histogram all = new Histogram(LatencyRecorder.SIGNIFICANT_DIGITS);
    for (Operation each : whole.mix().operations()) {
      OperationMeasurement measured = operation(number, step, each.id());
      operations.add(measured);
      all.add(measured.histogram());
      measured.seconds().forEach(second -> add(seconds, second));
    }
    Latencies sum =
        operations.stream()
            .map(OperationMeasurement::successes)
            .reduce(Latencies.NONE, Latencies::plus);
    return new StepMeasurement(
        step.clients(),
        elapsedNanos(number),
        new Latencies(
            sum.count(), sum.sumNanos(), sum.minNanos(), sum.maxNanos(), sumOfSquares(all)),
        all,
        withoutGaps(seconds),
        Optional.empty(),
        operations);
  }

  /** Returns the time from the first beginning to the last end, by the shared clock. */
  private long elapsedNanos(int number) {
    Optional<Instant> first = Optional.empty();
    Optional<Instant> last = Optional.empty();
    long longest = 0;
    boolean known = true;
    for (ShardRun shard : shards) {
      long duration = shard.clients().orElseThrow().steps().get(number - 1).durationNanos();
      longest = Math.max(longest, duration);
      Optional<Instant> begin = shard.start(number).map(ShardStart::sharedTime);
      Optional<Instant> end = begin.map(each -> each.plusNanos(duration));
      known &= begin.isPresent();
      first = first.isEmpty() || begin.filter(first.get()::isAfter).isPresent() ? begin : first;
      last = last.isEmpty() || end.filter(last.get()::isBefore).isPresent() ? end : last;
    }
    return known ? Duration.between(first.orElseThrow(), last.orElseThrow()).toNanos() : longest;
  }

  private OperationMeasurement operation(int number, Step step, String operation) {
    TreeMap<Long, SecondMeasurement> seconds = new TreeMap<>();
    long conflicts = 0;
    for (ShardRun shard : shards) {
      ClientResults clients = shard.clients().orElseThrow();
      clients.requests(number, operation).forEach(second -> add(seconds, second(shard, second)));
      clients.errorRows().stream()
          .filter(row -> row.step() == number && row.operation().equals(operation))
          .forEach(row -> add(seconds, error(shard, row)));
      conflicts +=
          clients.attempts().stream()
              .filter(each -> each.step() == number && each.operation().equals(operation))
              .mapToLong(AttemptCounts::conflicts)
              .sum();
    }
    return new OperationMeasurement(
        operation,
        latencies.of(LatencyTag.response(number, operation)),
        step.isOpen()
            ? Optional.of(latencies.of(LatencyTag.service(number, operation)))
            : Optional.empty(),
        withoutGaps(seconds),
        conflicts);
  }

  private static SecondMeasurement second(ShardRun shard, ClientResults.OperationSecond second) {
    Latencies successes =
        second.succeeded() == 0
            ? Latencies.NONE
            : new Latencies(
                second.succeeded(),
                nanos(second.averageMs().orElse(0)) * second.succeeded(),
                nanos(second.minMs().orElse(0)),
                nanos(second.maxMs().orElse(0)),
                0);
    return new SecondMeasurement(
        shard.sharedSecond(second.unixSecond()), successes, List.of(), second.shed());
  }

  private static SecondMeasurement error(ShardRun shard, ClientResults.ErrorRow row) {
    ErrorTally tally = new ErrorTally(row.kind(), row.message(), row.count(), nanos(row.totalMs()));
    return new SecondMeasurement(
        shard.sharedSecond(row.unixSecond()), Latencies.NONE, List.of(tally));
  }

  private static long nanos(double ms) {
    return Math.round(ms * NANOS_PER_MS);
  }

  private static void add(Map<Long, SecondMeasurement> seconds, SecondMeasurement next) {
    seconds.merge(next.unixSecond(), next, SecondMeasurement::plus);
  }

  /** Returns all seconds from the first to the last, those without requests too. */
  private static List<SecondMeasurement> withoutGaps(TreeMap<Long, SecondMeasurement> seconds) {
    List<SecondMeasurement> all = new ArrayList<>();
    long last = seconds.isEmpty() ? -1 : seconds.lastKey();
    for (long second = seconds.isEmpty() ? 0 : seconds.firstKey(); second <= last; second++) {
      SecondMeasurement none = new SecondMeasurement(second, Latencies.NONE, List.of());
      SecondMeasurement found = seconds.getOrDefault(second, none);
      all.add(
          new SecondMeasurement(
              second, found.successes(), ErrorTally.merged(found.errors()), found.shed()));
    }
    return all;
  }

  /** Returns the sum for the standard deviation, which no file has exactly. */
  private static double sumOfSquares(Histogram histogram) {
    double sum = 0;
    for (HistogramIterationValue each : histogram.recordedValues()) {
      double middle = histogram.medianEquivalentValue(each.getValueIteratedTo());
      sum += middle * middle * each.getCountAtValueIteratedTo();
    }
    return sum;
  }
}
