// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import io.quorate.format.NumberFormats;
import io.quorate.measure.Latencies;
import io.quorate.results.DatabaseRun;
import io.quorate.results.RunEvent;
import io.quorate.results.latency.LatencyInterval;
import io.quorate.results.latency.LatencyTag;
import io.quorate.results.latency.Percentile;
import io.quorate.results.manifest.MergedShard;
import io.quorate.results.manifest.ShardStart;
import io.quorate.results.requests.AttemptCounts;
import io.quorate.results.requests.OperationCounts;
import io.quorate.results.requests.StepTimes;
import io.quorate.results.requests.WatchRow;
import io.quorate.scenario.LoadModel;
import io.quorate.scenario.Step;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The values of one step of the load.
 *
 * @param number number of the step, from 1
 * @param requests requests of all operations
 * @param operations operations of the mix, in its order
 * @param attempts attempts of operations that are repeated until they succeed
 * @param seconds every second from the first to the last in which a request was sent
 * @param longestWithoutSuccess longest uninterrupted time without a success, in seconds, to a
 *     millisecond
 * @param stalledSeconds sum of such times of a second or more
 * @param lagMs send delays; empty if they were not recorded
 * @param receiveDelayMs delays of answers by the load generator's threads
 * @param connectMs connect times of the requests; empty if connections stay open
 * @param droppedAfterStalls number of requests that were dropped after stalls of the load generator
 * @param watchers events of the watchers; empty if there were none, like {@code watch}
 * @param began send time of its first request, in seconds since 1970; empty if unknown
 */
public record StepFigures(
    int number,
    Step asked,
    RequestFigures requests,
    List<RequestFigures> operations,
    List<AttemptCounts> attempts,
    List<ClientSecond> seconds,
    OptionalDouble durationSeconds,
    OptionalDouble longestWithoutSuccess,
    OptionalDouble stalledSeconds,
    Map<Percentile, Double> lagMs,
    Map<Percentile, Double> receiveDelayMs,
    Map<Percentile, Double> connectMs,
    long droppedAfterStalls,
    Optional<WatchRow> watchers,
    Optional<WatchFigures> watch,
    OptionalDouble began) {
  private static final double MS_PER_SECOND = 1000;

  /** Twice the resolution of the times in {@code latency.hlog}, in seconds. */
  private static final double RESOLUTION = 0.002;

  private static final double NANOS_PER_SECOND = 1e9;

  /** Send delay above which the load generator was late. */
  private static final double LATE_MS = 10;

  /** Part of the response time above which queue time is worth a word. */
  private static final double QUEUED_PART = 0.1;

  /** Least part of a rate that has to succeed for the rate to count as held. */
  private static final double HELD = 0.95;

  /** Multiple of the service times above which response times were caused by the load generator. */
  private static final double SERVICE_TIMES = 10;

  static List<StepFigures> of(DatabaseRun run, ForeignCpu others) {
    return IntStream.range(0, run.manifest().load().steps().size())
        .mapToObj(index -> of(run, index, others))
        .toList();
  }

  /**
   * Returns the values of each step that has records of its clients.
   *
   * @param step returns the step of a record; empty if it belongs to none
   */
  static <R, F> List<F> recorded(
      List<StepFigures> steps,
      List<R> records,
      Function<R, OptionalInt> step,
      BiFunction<StepFigures, List<R>, F> values) {
    return steps.stream()
        .flatMap(
            each -> {
              List<R> own =
                  records.stream()
                      .filter(it -> step.apply(it).equals(OptionalInt.of(each.number())))
                      .toList();
              return own.isEmpty() ? Stream.of() : Stream.of(values.apply(each, own));
            })
        .toList();
  }

  private static StepFigures of(DatabaseRun run, int index, ForeignCpu others) {
    int number = index + 1;
    Step step = run.manifest().load().steps().get(index);
    Optional<StepTimes> times =
        run.clients().stream()
            .flatMap(results -> results.steps().stream().skip(index).limit(1))
            .findFirst();
    SortedMap<Long, Latencies> successes =
        times
            .map(known -> run.clients().orElseThrow().seconds(number))
            .orElse(Collections.emptySortedMap());
    OptionalDouble duration =
        times.stream().mapToDouble(each -> each.durationNanos() / NANOS_PER_SECOND).findFirst();
    OptionalDouble began =
        successes.isEmpty() ? OptionalDouble.empty() : began(run, times.get(), successes);
    IntPredicate only = each -> each == number;
    RequestFigures requests = RequestFigures.of(run, only, Optional.empty(), duration, others);
    Optional<WatchRow> watchers =
        run.watches().stream().filter(row -> row.step() == number).findFirst();
    return new StepFigures(
        number,
        step,
        requests,
        RequestFigures.operations(run, only, requests, others),
        run.clients().stream()
            .flatMap(results -> results.attempts().stream())
            .filter(each -> each.step() == number)
            .toList(),
        seconds(step, successes, began, duration.orElse(0)),
        duration,
        seconds(times.map(StepTimes::longestNanosWithoutSuccess)),
        seconds(times.map(StepTimes::stalledNanos)),
        percentiles(run, LatencyTag.of(number, LatencyTag.Time.LAG)),
        percentiles(run, LatencyTag.of(number, LatencyTag.Time.RECEIVE)),
        percentiles(run, LatencyTag.of(number, LatencyTag.Time.CONNECT)),
        run.events().stream()
            .filter(event -> event.step() == number)
            .mapToLong(RunEvent::dropped)
            .sum(),
        watchers,
        watchers.map(row -> WatchFigures.of(run, row)),
        began);
  }

  /** Returns the seconds of a step, from the response times of the successes of each. */
  static List<ClientSecond> seconds(
      Step asked, SortedMap<Long, Latencies> successes, OptionalDouble began, double duration) {
    List<ClientSecond> seconds = new ArrayList<>();
    successes.forEach(
        (second, times) ->
            seconds.add(
                ClientSecond.of(
                    second,
                    asked.clients(),
                    times,
                    began.isEmpty()
                        ? 1
                        : covered(
                            second,
                            began.getAsDouble(),
                            endOfSending(
                                asked, began.getAsDouble(), duration, successes.lastKey())))));
    return seconds;
  }

  /**
   * Returns the part of a second in which requests were sent, 0 to 1. The last part ends with the
   * last request; at a constant rate it ends when the last request was due.
   */
  private static double covered(double second, double began, double ended) {
    return Math.max(0, Math.min(ended, second + 1) - Math.max(began, second));
  }

  private static double endOfSending(Step asked, double began, double duration, long last) {
    double end = began + duration;
    if (asked.model() instanceof LoadModel.Open open
        && open.arrivals() == LoadModel.Arrivals.CONSTANT) {
      double due = began + (double) asked.requests() / open.ratePerSecond();
      return due > last ? Math.min(due, end) : end;
    }
    return end;
  }

  private static Map<Percentile, Double> percentiles(DatabaseRun run, LatencyTag tag) {
    return RequestFigures.percentiles(run.latencies().byTag().get(tag));
  }

  /**
   * Returns the load: the number of clients or, in an open loop, the requests per second; of a
   * phase its number.
   */
  public long load() {
    return asked.isPhase() ? number : load(asked);
  }

  public static long load(Step step) {
    return step.model() instanceof LoadModel.Open open ? open.ratePerSecond() : step.clients();
  }

  /**
   * Returns the load as a phrase: {@code with 10 clients}, {@code at 1,000/s} or, of watchers,
   * {@code with 100 watchers}.
   */
  public String atLoad() {
    return asked
        .watch()
        .map(watch -> "with " + NumberFormats.count(watch.watchers(), "watcher"))
        .orElseGet(() -> (asked.isOpen() ? "at " : "with ") + loadText());
  }

  /** Returns the load in words: {@code 1 client}, {@code 10 clients}, {@code 1,000/s}. */
  public String loadText() {
    if (asked.isPhase()
        || asked.model() instanceof LoadModel.Open open && open.ramp().isPresent()) {
      return asked.load();
    }
    return asked.isOpen()
        ? NumberFormats.commas(load()) + "/s"
        : NumberFormats.count(load(), "client");
  }

  /**
   * Returns whether steps of an open loop held their rate while requests were due. That is without
   * a fast response (p10), which the last request adds to the duration of a step. The median would
   * hide an overload, in which it grows.
   */
  public static boolean heldRate(List<StepFigures> steps) {
    double due = 0;
    for (StepFigures each : steps) {
      double fastMs = each.requests.percentilesMs().getOrDefault(Percentile.P10, 0.0);
      double seconds = each.durationSeconds.orElse(0) - fastMs / MS_PER_SECOND;
      due += load(each.asked) * Math.max(0, seconds);
    }
    return steps.stream().mapToLong(each -> each.requests.succeeded()).sum() >= HELD * due;
  }

  /**
   * Returns whether the load generator was late in an open loop. Then a missed rate shows nothing
   * about the store.
   */
  public boolean isLate() {
    return asked.isOpen()
        && (droppedAfterStalls > 0
            || lagMs.getOrDefault(Percentile.P99, 0.0) > LATE_MS
            || responseP99Ms() > SERVICE_TIMES * (serviceP99Ms() + queueP99Ms()));
  }

  /**
   * Returns how long requests waited for a connection that carries one request at a time; empty if
   * none did.
   */
  public Map<Percentile, Double> queueMs() {
    return RequestFigures.percentiles(requests.queue());
  }

  /** Returns whether waiting for a connection determined the slowest response times. */
  public boolean isQueued() {
    return queueP99Ms() > QUEUED_PART * responseP99Ms();
  }

  public double queueP99Ms() {
    return queueMs().getOrDefault(Percentile.P99, 0.0);
  }

  public double responseP99Ms() {
    return requests.percentilesMs().getOrDefault(Percentile.P99, 0.0);
  }

  public double serviceP99Ms() {
    return requests.serviceMs().getOrDefault(Percentile.P99, 0.0);
  }

  /** Returns the requests by the scenario or, if the step ends by time, those that were due. */
  public long requestsAsked() {
    return asked.endsByTime()
        ? requests.counts().map(OperationCounts::intended).orElse(0L)
        : asked.requests();
  }

  /** Returns the number of successes; empty if the files do not contain it. */
  public OptionalLong successes() {
    return seconds.isEmpty() ? OptionalLong.empty() : OptionalLong.of(throughputs(seconds).sum());
  }

  /** Returns the number of failed requests; empty if the files do not contain it. */
  public OptionalLong errors() {
    return seconds.isEmpty() ? OptionalLong.empty() : requests.failed();
  }

  /**
   * Returns when the step began: the start of its first shard in a merged run, otherwise of its
   * first interval of latencies. Empty if that contradicts its seconds, as in runs whose first
   * second had no success.
   */
  private static OptionalDouble began(
      DatabaseRun run, StepTimes step, SortedMap<Long, Latencies> seconds) {
    OptionalDouble known =
        run.manifest().shards().isEmpty()
            ? run.latencies().intervals().stream()
                .filter(interval -> interval.tag().step() == step.step())
                .mapToLong(LatencyInterval::startMillis)
                .mapToDouble(millis -> millis / MS_PER_SECOND)
                .min()
            : run.manifest().shards().stream()
                .filter(MergedShard::isMerged)
                .flatMap(shard -> shard.starts().stream())
                .filter(start -> start.step() == step.step())
                .map(ShardStart::sharedTime)
                .mapToDouble(time -> time.toEpochMilli() / MS_PER_SECOND)
                .min();
    double first = seconds.firstKey();
    double last = seconds.lastKey();
    double duration = step.durationNanos() / NANOS_PER_SECOND;
    return known.stream()
        .filter(time -> time >= first && time < first + 1)
        .filter(time -> time + duration > last - RESOLUTION)
        .findFirst();
  }

  private static OptionalDouble seconds(Optional<OptionalLong> nanos) {
    return nanos.stream()
        .flatMapToLong(OptionalLong::stream)
        .mapToDouble(each -> each / NANOS_PER_SECOND)
        .findFirst();
  }

  /**
   * Returns the complete seconds of the step, in which it had requests to send all the time. Its
   * first and its last second are partial.
   */
  public List<ClientSecond> wholeSeconds() {
    return seconds.size() < 3 ? List.of() : seconds.subList(1, seconds.size() - 1);
  }

  /**
   * Returns the successes per second of each second. The first second begins with the first
   * request, and the last one ends with the last request. So all of them together are as long as
   * the step.
   */
  private double[] rates() {
    double[] lengths = seconds.stream().mapToDouble(ClientSecond::coveredSeconds).toArray();
    if (lengths.length > 0) {
      int last = lengths.length - 1;
      double from = Math.max(began.getAsDouble(), seconds.get(last).unixSecond());
      lengths[last] = Math.max(0, began.getAsDouble() + durationSeconds.orElse(0) - from);
    }
    return ClientTimeline.rates(throughputs(seconds).asDoubleStream().toArray(), lengths);
  }

  /** Rounds down, except for numbers that are whole within the resolution of the times. */
  private static long floor(double rate) {
    return (long) (rate + ThroughputRange.ROUNDING);
  }

  /** Rounds up like {@link #floor}, so that no mean is above it. */
  private static long ceil(double rate) {
    return (long) Math.ceil(rate - ThroughputRange.ROUNDING);
  }

  private List<ClientSecond> typicalSeconds() {
    long most = throughputs(wholeSeconds()).max().orElse(0);
    return most < requestsPerSecond().orElse(0) ? List.of() : wholeSeconds();
  }

  /**
   * Returns the most successes per second, rounded up, over its seconds, or its complete seconds if
   * the start of the step is not known. Empty if there is none, or if the mean of the step is
   * higher.
   */
  public OptionalLong maxThroughput() {
    return began.isEmpty()
        ? throughputs(typicalSeconds()).max()
        : Arrays.stream(rates()).mapToLong(StepFigures::ceil).max();
  }

  /** Returns the least successes per second, rounded down, as {@link #maxThroughput}. */
  public OptionalLong minThroughput() {
    return began.isEmpty()
        ? throughputs(typicalSeconds()).min()
        : Arrays.stream(rates()).mapToLong(StepFigures::floor).min();
  }

  /**
   * Returns successes divided by the duration of the step; empty if one of the two is not known.
   */
  public OptionalDouble requestsPerSecond() {
    return successes().isPresent() && durationSeconds.orElse(0) > 0
        ? OptionalDouble.of(successes().getAsLong() / durationSeconds.getAsDouble())
        : OptionalDouble.empty();
  }

  /**
   * Returns the longest latency in milliseconds; empty if nothing succeeded, or if it is not known.
   */
  public OptionalDouble slowestMs() {
    return seconds.stream()
        .filter(second -> second.count() > 0)
        .mapToDouble(ClientSecond::maxMs)
        .max();
  }

  /**
   * Returns the successes whose requests were sent before a time, as if those of a second were
   * spread evenly over its measured part.
   *
   * @param time seconds since 1970, within a step that began at a known time
   */
  double successesBefore(double time) {
    double end = began.getAsDouble() + durationSeconds.orElse(0);
    return seconds.stream()
        .mapToDouble(
            each -> {
              double from = Math.max(each.unixSecond(), began.getAsDouble());
              double length = Math.min(each.unixSecond() + 1, end) - from;
              double part = length > 0 ? (time - from) / length : 1;
              return each.count() * Math.max(0, Math.min(1, part));
            })
        .sum();
  }

  private static LongStream throughputs(List<ClientSecond> seconds) {
    return seconds.stream().mapToLong(ClientSecond::count);
  }
}
