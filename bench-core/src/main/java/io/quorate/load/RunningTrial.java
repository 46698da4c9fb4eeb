package io.quorate.load;

import io.quorate.capacity.ViolationCount;
import io.quorate.measure.StepRecorder;
import io.quorate.store.Connection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import org.HdrHistogram.Histogram;

/**
 * A load that is being tried. It settles first. {@link #measure} begins to measure the load
 * generator, {@link #stop} ends both, and {@link #awaitEnd} waits until nothing is under way. For
 * one thread.
 */
public final class RunningTrial {
  private static final double NANOS_PER_SECOND = 1e9;

  private final Budget budget;
  private final CountedRequests requests;
  private final StepRecorder recorder;
  private final List<Connection> connections;
  private final int settleSeconds;
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private final SelfWatch watch = new SelfWatch();
  private final Histogram lag = new Histogram(3);
  private boolean measuring;
  private LongConsumer taken;
  private long beginNanos;
  private double stoppedSeconds;

  RunningTrial(
      Budget budget,
      CountedRequests requests,
      StepRecorder recorder,
      List<Connection> connections,
      int settleSeconds,
      int seconds) {
    this.budget = budget;
    this.requests = requests;
    this.recorder = recorder;
    this.connections = connections;
    this.settleSeconds = settleSeconds;
    this.stoppedSeconds = seconds;
  }

  /**
   * Sends the first requests.
   *
   * @param whenEnded is told how many numbers of requests were taken
   */
  void begin(Loop loop, int clients, LongConsumer whenEnded) {
    taken = whenEnded;
    beginNanos = System.nanoTime();
    requests.beginAt(beginNanos);
    AtomicInteger running = new AtomicInteger(clients);
    for (int i = 0; i < clients; i++) {
      loop.join(
          i,
          connections,
          new RequestLog(RequestListener.NOBODY),
          () -> {
            if (running.decrementAndGet() == 0) {
              ended.complete(null);
            }
          });
    }
  }

  /** Returns how long ago it began, in seconds. */
  public double seconds() {
    return (System.nanoTime() - beginNanos) / NANOS_PER_SECOND;
  }

  /** Returns whether all of its requests have ended. */
  public boolean hasEnded() {
    return ended.isDone();
  }

  /** Returns how many requests are under way. */
  public long underWay() {
    return requests.underWay();
  }

  /** Begins to measure the load generator itself, anew if it is measured already. */
  public void measure() {
    if (measuring) {
      watch.stop();
    }
    measuring = true;
    recorder.lagInterval();
    watch.start(connections, recorder);
  }

  /** Stops sending requests. Idempotent. */
  public void stop() {
    if (!hasEnded()) {
      stoppedSeconds = Math.min(stoppedSeconds, seconds());
    }
    budget.cancel();
    if (measuring) {
      measuring = false;
      watch.stop();
      lag.add(recorder.lagInterval());
    }
  }

  /**
   * Waits until every request has ended.
   *
   * @return whether that was so in time
   */
  public boolean awaitEnd(long limitNanos) {
    boolean all =
        ended
            .thenApply(nothing -> true)
            .completeOnTimeout(false, limitNanos, TimeUnit.NANOSECONDS)
            .join();
    taken.accept(requests.sent() + requests.shed());
    return all;
  }

  /**
   * Returns what was counted for each limit in each measured second, up to one that is over.
   *
   * @param measured seconds
   */
  public List<List<ViolationCount>> counts(int measured) {
    return counts(measured, false);
  }

  /** Returns the same, had requests been due when they were sent. */
  public List<List<ViolationCount>> countsSinceSent(int measured) {
    return counts(measured, true);
  }

  private List<List<ViolationCount>> counts(int measured, boolean sinceSent) {
    return requests.counts(settleSeconds, settleSeconds + measured, System.nanoTime(), sinceSent);
  }

  /** Returns for how long requests were sent after settling, once it was stopped. */
  public double sendingSeconds() {
    return Math.max(0, stoppedSeconds - settleSeconds);
  }

  /** Returns how many requests were due in the measured seconds. */
  public long intended(int measured) {
    return requests.intended(settleSeconds, settleSeconds + measured);
  }

  /** Returns the response times of the measured requests that succeeded; once, after the end. */
  public Histogram responses() {
    return requests.responses();
  }

  /** Returns how late requests were sent while it was measured; empty in a closed loop. */
  public Histogram lag() {
    return lag;
  }

  /** Returns the cost to this process, after {@link #stop}, if it was measured. */
  public SelfWatch selfWatch() {
    return watch;
  }

  /** Returns how many requests failed, settling included. */
  public long failed() {
    return requests.failed();
  }

  /** Returns how many were due but not sent, settling included. */
  public long shed() {
    return requests.shed();
  }
}
