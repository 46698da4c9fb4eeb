// SPDX-License-Identifier: Apache-2.0
package io.quorate.measure;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Records the requests of one step, each with the recorder of its operation. It also records the
 * delay that the load generator adds: send delays, and delays of answers by its threads. Recording
 * is safe from any thread; {@link #lagInterval()} and {@link #measurement()} belong to one reading
 * thread at a time.
 */
public final class StepRecorder {
  private final int clients;
  private final RunClock clock;
  private final List<OperationRecorder> operations;
  private final LatencyRecorder lag = new LatencyRecorder();
  private final LatencyRecorder queue = new LatencyRecorder();

  /** Null after {@link #finish}: the last probes may come later. */
  private volatile @Nullable LatencyRecorder receiving = new LatencyRecorder();

  private @Nullable GeneratorDelay delay;

  private Optional<LatencyRecorder> connects = Optional.empty();
  private Optional<WatchRecorder> watch = Optional.empty();
  private final LongAccumulator firstNanos = new LongAccumulator(Math::min, Long.MAX_VALUE);
  private final LongAccumulator lastNanos = new LongAccumulator(Math::max, Long.MIN_VALUE);
  private final LongAdder active = new LongAdder();
  private final SuccessGapRecorder successes = new SuccessGapRecorder();
  private final Optional<SloRecorder> slo;
  private @Nullable StepMeasurement finished;

  /**
   * Creates the recorder of a step whose requests are not judged.
   *
   * @param open whether it is an open loop, in which requests are due at separate times
   */
  public StepRecorder(int clients, RunClock clock, List<String> operations, boolean open) {
    this(clients, clock, operations, open, Optional.empty());
  }

  /** Creates the recorder of a step whose requests are judged, by a recorder of this step alone. */
  public StepRecorder(
      int clients,
      RunClock clock,
      List<String> operations,
      boolean open,
      Optional<SloRecorder> slo) {
    this.clients = clients;
    this.clock = clock;
    this.slo = slo;
    this.operations =
        operations.stream()
            .map(
                operation ->
                    new OperationRecorder(
                        operation, clock, successes, lag, queue, open, slo.orElse(null)))
            .toList();
    slo.ifPresent(judge -> operations().forEach(judge::add));
  }

  /** Returns the recorder that judges the requests; empty if they are not judged. */
  public Optional<SloRecorder> slo() {
    return slo;
  }

  /** Enables recording of connect times; to be called before the first request. */
  public void recordConnects() {
    connects = Optional.of(new LatencyRecorder());
  }

  /** Records how long it took to open the connection of one request. */
  public void connected(long nanos) {
    connects.ifPresent(recorder -> recorder.record(nanos));
  }

  /**
   * Returns how long connecting took since the last call; empty if connections stay open. The
   * histogram is valid until the next call.
   */
  public Optional<Histogram> connectInterval() {
    return connects.map(LatencyRecorder::interval);
  }

  /** Adds the recorder of the watchers of its puts; to be called before the first request. */
  public void watchedBy(WatchRecorder watchers) {
    watch = Optional.of(watchers);
  }

  /** Returns the recorder of the watchers; empty if there are none, and after {@link #finish}. */
  public Optional<WatchRecorder> watch() {
    return watch;
  }

  /** Returns the recorders of the operations, in the order in which they were named. */
  public List<OperationRecorder> operations() {
    return operations;
  }

  /** Records that a client begins its first request of the step. */
  public void clientStarted(long nanos) {
    active.increment();
    firstNanos.accumulate(nanos);
    slo.ifPresent(judge -> judge.beginAt(clock.unixSecond(nanos)));
    successes.start(nanos);
  }

  /** Records that a client has ended its last request of the step. */
  public void clientFinished(long nanos) {
    lastNanos.accumulate(nanos);
    active.decrement();
  }

  /** Records how long a thread that runs completions kept a probe waiting, in nanoseconds. */
  public void receiverDelayed(long nanos) {
    LatencyRecorder present = receiving;
    if (present != null) {
      present.record(nanos);
    }
  }

  /**
   * Returns how late requests were sent, see {@link OperationRecorder#delayed}, since the last
   * call. The histogram is valid until the next call. Not to be called after {@link #finish}.
   */
  public Histogram lagInterval() {
    return lag.interval();
  }

  /**
   * Returns how long requests waited for a connection since the last call, without those that did
   * not wait. The histogram is valid until the next call. Not to be called after {@link #finish}.
   */
  public Histogram queueInterval() {
    return queue.interval();
  }

  /**
   * Returns how long threads kept probes waiting since the last call. The histogram is valid until
   * the next call. Not to be called after {@link #finish}.
   */
  public Histogram receiverInterval() {
    return Objects.requireNonNull(receiving).interval();
  }

  /** Returns the delay that the load generator added, up to the last intervals. */
  public GeneratorDelay delay() {
    return delay == null
        ? new GeneratorDelay(lag.total(), Objects.requireNonNull(receiving).total())
        : delay;
  }

  public long successCount() {
    return operations.stream().mapToLong(OperationRecorder::successCount).sum();
  }

  public long errorCount() {
    return operations.stream().mapToLong(OperationRecorder::errorCount).sum();
  }

  /** Returns the number of requests that were due so far but not sent. */
  public long droppedCount() {
    return operations.stream().mapToLong(OperationRecorder::droppedCount).sum();
  }

  /** Returns the number of requests that have begun and not ended. */
  public long underWayCount() {
    return operations.stream().mapToLong(OperationRecorder::underWayCount).sum();
  }

  /**
   * Ends the recording, after the last request has ended and the last intervals were taken. Only
   * exact values and the delay of the load generator remain: histograms of many steps would fill
   * the heap. Idempotent.
   */
  public void finish() {
    if (finished == null) {
      delay = delay();
      finished = measurement().withoutHistograms();
      operations.forEach(OperationRecorder::release);
      lag.release();
      queue.release();
      receiving = null;
      connects = Optional.empty();
      watch = Optional.empty();
    }
  }

  /**
   * Returns the measurement up to the last intervals, and the exact values up to now; after {@link
   * #finish} with empty histograms.
   */
  public StepMeasurement measurement() {
    if (finished != null) {
      return finished;
    }
    List<OperationMeasurement> measured =
        operations.stream().map(OperationRecorder::measurement).toList();
    long first = firstNanos.get();
    long last = first == Long.MAX_VALUE ? first : lastNanos();
    Histogram all = new Histogram(LatencyRecorder.SIGNIFICANT_DIGITS);
    measured.forEach(operation -> all.add(operation.histogram()));
    return new StepMeasurement(
        clients,
        last - first,
        measured.stream()
            .map(OperationMeasurement::successes)
            .reduce(Latencies.NONE, Latencies::plus),
        all,
        SecondMeasurement.withoutGaps(measured.stream().flatMap(each -> each.seconds().stream())),
        successes.until(last),
        measured,
        watch.map(WatchRecorder::measurement));
  }

  /**
   * Returns when the first client started, in milliseconds since 1970; the recorder was created
   * long before.
   */
  public long firstUnixMillis() {
    long first = firstNanos.get();
    return first == Long.MAX_VALUE ? Long.MIN_VALUE : clock.unixNanos(first) / 1_000_000;
  }

  /** Returns the time since the first client started, in nanoseconds; 0 if none has. */
  public long elapsedNanos(long nowNanos) {
    long first = firstNanos.get();
    return first == Long.MAX_VALUE ? 0 : nowNanos - first;
  }

  /** Returns when the last client ended; the current time while clients run. */
  private long lastNanos() {
    return active.sum() > 0 ? System.nanoTime() : lastNanos.get();
  }
}
