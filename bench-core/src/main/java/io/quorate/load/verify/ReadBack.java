package io.quorate.load.verify;

import io.quorate.QuorateException;
import io.quorate.load.Budget;
import io.quorate.load.ClosedLoop;
import io.quorate.load.Connector;
import io.quorate.load.RequestSpacing;
import io.quorate.load.workload.ExpectedKeys;
import io.quorate.load.workload.WrittenKeys;
import io.quorate.measure.ErrorTally;
import io.quorate.measure.RunClock;
import io.quorate.measure.StepRecorder;
import io.quorate.measure.Verification;
import io.quorate.store.Capabilities;
import io.quorate.store.Connection;
import io.quorate.store.Store;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * Reads keys back after a load and compares them with what was acknowledged. A read that fails is
 * tried again, until nothing succeeds any more or the time is over. For one thread, once.
 */
public final class ReadBack {
  private static final int CLIENTS = 100;

  /** Deadline of a read, whatever the deadline of the measured requests was. */
  private static final Duration READ_TIMEOUT = Duration.ofSeconds(5);

  /** Number of keys whose possible values are kept at a time, 24 bytes each. */
  private static final int MOST_AT_ONCE = 1_000_000;

  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final int LOOK_MILLIS = 200;

  private final WrittenKeys written;
  private final VerificationLimits limits;
  private final VerificationProgress progress;
  private final KeyFaults faults = new KeyFaults();
  private final long startNanos = System.nanoTime();
  private List<Connection> connections = List.of();
  private Optional<String> obstacle = Optional.empty();
  private long chosen;
  private long lastReadNanos;

  public ReadBack(WrittenKeys written, VerificationLimits limits, VerificationProgress progress) {
    this.written = written;
    this.limits = limits;
    this.progress = progress;
  }

  /**
   * Reads the keys.
   *
   * @param connector to the servers, not all of which need answer
   * @param store that they are in
   */
  public Verification run(Connector connector, Store store) {
    boolean counts = store.capabilities().range() == Capabilities.RangeReads.LIMITED;
    BitSet sample = written.sample();
    chosen = sample.cardinality();
    OptionalLong counted = OptionalLong.empty();
    try {
      if (chosen > 0) {
        connections =
            new Connector(
                    connector.client(), connector.endpoints(), READ_TIMEOUT, connector.access())
                .openReachable(CLIENTS);
        readAll(sample);
        if (counts && obstacle.isEmpty()) {
          counted = KeyCount.of(connections.get(0), written.commonPrefix());
        }
      }
    } catch (QuorateException unreachable) {
      obstacle = Optional.of(unreachable.getMessage());
    } finally {
      connections.forEach(Connection::close);
    }
    return new Verification(
        written.count(),
        chosen,
        faults.read(),
        faults.missing(),
        faults.wrong(),
        faults.first(),
        written.leastThatAreThere(),
        counted,
        written.areComparable(),
        obstacle,
        System.nanoTime() - startNanos);
  }

  private void readAll(BitSet sample) {
    int[] numbers = numbers(sample, 0);
    while (numbers.length > 0 && obstacle.isEmpty()) {
      read(written.expected(numbers));
      numbers = numbers(sample, numbers[numbers.length - 1] + 1);
    }
  }

  private static int[] numbers(BitSet sample, int from) {
    int[] numbers =
        new int[Math.min(MOST_AT_ONCE, sample.get(from, sample.length()).cardinality())];
    int next = sample.nextSetBit(from);
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = next;
      next = sample.nextSetBit(next + 1);
    }
    return numbers;
  }

  /** Reads some keys, repeatedly, until all have been read or the time is over. */
  private void read(ExpectedKeys expected) {
    BitSet done = new BitSet();
    KeyReads reads = new KeyReads(expected, faults, done);
    lastReadNanos = System.nanoTime();
    while (reads.count() > 0 && obstacle.isEmpty()) {
      round(reads);
      reads = new KeyReads(expected, faults, done);
      if (reads.count() > 0) {
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
  }

  private void round(KeyReads reads) {
    StepRecorder recorder = new StepRecorder(CLIENTS, RunClock.start(), List.of("get"), false);
    Budget budget = new Budget(0, reads.count());
    RequestSpacing spacing = new RequestSpacing(OptionalLong.empty());
    CompletableFuture<Void> ended =
        new ClosedLoop(budget, reads, recorder, spacing)
            .run(Math.min(CLIENTS, reads.count()), connections);
    long seen = faults.read();
    while (!isDone(ended)) {
      long now = faults.read();
      lastReadNanos = now > seen ? System.nanoTime() : lastReadNanos;
      seen = now;
      progress.read(now, chosen);
      if (obstacle.isEmpty() && (isOver(startNanos, limits.total()) || isStuck())) {
        budget.cancel();
        obstacle = Optional.of(reason(recorder.measurement().errors()));
        connections.forEach(Connection::close);
      }
    }
    if (faults.read() > seen) {
      lastReadNanos = System.nanoTime();
    }
  }

  private boolean isStuck() {
    return isOver(lastReadNanos, limits.withoutSuccess());
  }

  private static boolean isOver(long fromNanos, Duration limit) {
    return System.nanoTime() - fromNanos > limit.toNanos();
  }

  private static String reason(List<ErrorTally> errors) {
    return errors.isEmpty()
        ? "no answer in time"
        : errors.get(0).kind() + ": " + errors.get(0).message();
  }

  /** Waits for a moment whether the reads have ended. */
  private static boolean isDone(CompletableFuture<Void> ended) {
    try {
      ended.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException notYet) {
      return false;
    } catch (InterruptedException | ExecutionException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
