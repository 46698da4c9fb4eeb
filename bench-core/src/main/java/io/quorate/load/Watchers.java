// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import io.quorate.QuorateException;
import io.quorate.load.workload.WatchedKeys;
import io.quorate.measure.WatchRecorder;
import io.quorate.scenario.WatchLoad;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Request;
import io.quorate.store.Subscriptions;
import io.quorate.store.WatchListener;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The watchers of one step. They are started before the first put, or with the step if they watch
 * the past. After the last request the step waits for their events.
 */
public final class Watchers implements AutoCloseable {
  /** Longest time without an event after the last put has ended; later events count as lost. */
  static final Duration DRAIN_LIMIT = Duration.ofSeconds(10);

  private static final Duration START_LIMIT = Duration.ofSeconds(30);
  private static final long LOOK_NANOS = 5_000_000;
  private static final byte[] NO_VALUE = {};

  private final List<Subscriptions> streams;
  private final WatchedKeys keys;
  private final WatchRecorder recorder;

  /** Requests of progress, and restarts; null before the watches are in place. */
  private volatile @Nullable WatchUpkeep upkeep;

  Watchers(List<Subscriptions> streams, WatchedKeys keys, WatchRecorder recorder) {
    this.streams = streams;
    this.keys = keys;
    this.recorder = recorder;
  }

  /** Starts watchers whose events are recorded nowhere, until they are closed. */
  static Watchers unrecorded(
      WatchLoad load, WatchedKeys keys, Connector connector, BooleanSupplier cancelled) {
    return new Watchers(
            connector.subscribe(load.streams(), cancelled),
            keys,
            new WatchRecorder(0, 1, load.watchers(), load.watchers(), load.streams(), false))
        .started(load);
  }

  /** Starts all watches, or fails and leaves nothing open. */
  Watchers started(WatchLoad load) {
    try {
      startAll(load);
      return this;
    } catch (RuntimeException failure) {
      close();
      throw failure;
    }
  }

  /**
   * Starts all watches of the past, whose events are due now; returns when they are in place. The
   * events of a watch that cannot be started count as lost.
   */
  void catchUp(WatchLoad load) {
    long nowNanos = System.nanoTime();
    for (int i = 0; i < load.history(); i++) {
      recorder.sent(i, nowNanos);
      recorder.acknowledged(i);
    }
    try {
      startAll(load);
    } catch (QuorateException notAll) {
      recorder.interrupted();
    }
  }

  private void startAll(WatchLoad load) {
    int count = load.watchers();
    CountDownLatch waiting = new CountDownLatch(count);
    AtomicReference<String> failure = new AtomicReference<>();
    long beginNanos = System.nanoTime();
    List<Watcher> watchers =
        IntStream.range(0, count).mapToObj(i -> new Watcher(i, waiting, failure)).toList();
    for (int i = 0; i < count; i++) {
      streams.get(i % streams.size()).watch(keys.watch(i), watchers.get(i));
    }
    String problem;
    try {
      if (waiting.await(START_LIMIT.toNanos(), TimeUnit.NANOSECONDS) && failure.get() == null) {
        recorder.created(System.nanoTime() - beginNanos);
        upkeep = new WatchUpkeep(load, streams, watchers);
        return;
      }
      problem =
          failure.get() != null
              ? failure.get()
              : waiting.getCount() + " were not in place within " + START_LIMIT.toSeconds() + " s";
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      problem = "interrupted";
    }
    throw new QuorateException("starting " + count + " watches: " + problem);
  }

  /**
   * Waits until every watcher has received all puts, or until no event has arrived for the time
   * limit; to be called after all puts have ended. If watchers of all keys may receive the latest
   * state only, one more key is written and removed, which shows who has received that.
   *
   * @param connections connections of the puts
   */
  void drain(List<Connection> connections, BooleanSupplier cancelled) {
    long beginNanos = System.nanoTime();
    byte[] last = keys.isOneKey() ? keys.first() : keys.behindAll();
    boolean marked = !keys.isOneKey() && recorder.coalesces() && !connections.isEmpty();
    if (marked) {
      outcome(connections.get(0), Request.create(last, NO_VALUE));
    }
    if ((keys.isOneKey() || marked) && !connections.isEmpty()) {
      recorder.ended(
          outcome(connections.get(0), new Request.Get(last, ReadConsistency.LINEARIZABLE))
                      .orElse(Answer.MISSING)
                  instanceof Answer.Found found
              ? found.revision()
              : Long.MAX_VALUE);
    }
    long heardNanos = beginNanos;
    long missing = recorder.missing();
    while (!recorder.isComplete()
        && !cancelled.getAsBoolean()
        && System.nanoTime() - heardNanos < DRAIN_LIMIT.toNanos()) {
      LockSupport.parkNanos(LOOK_NANOS);
      long stillMissing = recorder.missing();
      if (stillMissing != missing) {
        missing = stillMissing;
        heardNanos = System.nanoTime();
      }
    }
    recorder.drained(System.nanoTime() - beginNanos);
    if (marked) {
      outcome(connections.get(0), new Request.Delete(last));
    }
  }

  /** Sends a request; empty if it fails or takes too long. */
  private static Optional<Answer> outcome(Connection connection, Request request) {
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    try {
      connection.submit(request, Completion.of(answer));
      return Optional.of(answer.get(DRAIN_LIMIT.toNanos(), TimeUnit.NANOSECONDS));
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    } catch (ExecutionException | TimeoutException | RuntimeException failed) {
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    if (upkeep != null) {
      upkeep.close();
    }
    streams.forEach(Subscriptions::close);
  }

  private final class Watcher implements WatchListener {
    private final int number;
    private final CountDownLatch waiting;
    private final AtomicReference<String> failure;
    private boolean started;

    Watcher(int number, CountDownLatch waiting, AtomicReference<String> failure) {
      this.number = number;
      this.waiting = waiting;
      this.failure = failure;
    }

    @Override
    public void started() {
      started = true;
      waiting.countDown();
    }

    @Override
    public void changed(byte[] key, byte[] value, long revision) {
      long nowNanos = System.nanoTime();
      recorder.told(number, keys.put(key, value), revision, nowNanos);
    }

    @Override
    public void interrupted(String why) {
      recorder.interrupted();
    }

    @Override
    public void failed(String why) {
      if (started) {
        recorder.interrupted();
      } else {
        failure.compareAndSet(null, why);
        waiting.countDown();
      }
    }
  }
}
