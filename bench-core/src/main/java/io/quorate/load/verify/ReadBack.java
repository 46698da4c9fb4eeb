// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.verify;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.quorate.QuorateException;
import io.quorate.load.ClosedLoop;
import io.quorate.load.Connector;
import io.quorate.load.workload.ExpectedKeys;
import io.quorate.load.workload.RequestSource;
import io.quorate.load.workload.WrittenKeys;
import io.quorate.measure.ErrorTally;
import io.quorate.measure.Verification;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Request;
import io.quorate.store.ReturnedValue;
import io.quorate.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/**
 * Reads keys back after a load and compares them with the acknowledged writes. A failed read is
 * repeated until nothing succeeds any more or the time is over. For one thread, once.
 */
public final class ReadBack {
  private static final int CLIENTS = 100;

  /** Deadline of a read, whatever the deadline of the measured requests was. */
  private static final Duration READ_TIMEOUT = Duration.ofSeconds(5);

  /** Number of keys whose possible values are kept in memory at a time, 24 bytes each. */
  private static final int MAX_AT_ONCE = 1_000_000;

  private static final Duration PAUSE = Duration.ofMillis(500);

  private final WrittenKeys written;
  private final Limits limits;
  private final Progress progress;
  private final KeyFaults faults = new KeyFaults();
  private final long startNanos = System.nanoTime();
  private List<Connection> connections = List.of();
  private Optional<String> obstacle = Optional.empty();
  private long chosen;
  private long lastReadNanos;

  public ReadBack(WrittenKeys written, Limits limits, Progress progress) {
    this.written = written;
    this.limits = limits;
    this.progress = progress;
  }

  /** Reads the keys of a store; some of its servers may be down. */
  public Verification run(Connector connector, Store store) {
    boolean counts = store.capabilities().range().isLimited();
    BitSet sample = written.sample();
    chosen = sample.cardinality();
    OptionalLong counted = OptionalLong.empty();
    try {
      if (chosen > 0) {
        int most = Math.min(CLIENTS, written.mostConnections());
        connections =
            connector.withTimeout(READ_TIMEOUT).openReachable(most, limits.withoutSuccess());
        readAll(sample);
        if (counts && obstacle.isEmpty()) {
          counted = keyCount(connections.get(0), written.commonPrefix());
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
    int[] numbers = new int[Math.min(MAX_AT_ONCE, sample.get(from, sample.length()).cardinality())];
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
    int clients = ClosedLoop.clients(CLIENTS, reads.count(), connections);
    ClosedLoop loop = ClosedLoop.apart("get", reads, reads.count(), clients);
    CompletableFuture<Void> ended = loop.run(clients, connections);
    long seen = faults.read();
    while (!ClosedLoop.hasEnded(ended)) {
      long now = faults.read();
      lastReadNanos = now > seen ? System.nanoTime() : lastReadNanos;
      seen = now;
      progress.read(now, chosen);
      if (obstacle.isEmpty()
          && (isOver(startNanos, limits.total())
              || isOver(lastReadNanos, limits.withoutSuccess()))) {
        loop.budget().cancel();
        obstacle = Optional.of(reason(loop.recorder().measurement().errors()));
        connections.forEach(Connection::close);
      }
    }
    if (faults.read() > seen) {
      lastReadNanos = System.nanoTime();
    }
  }

  private static boolean isOver(long fromNanos, Duration limit) {
    return System.nanoTime() - fromNanos > limit.toNanos();
  }

  private static String reason(List<ErrorTally> errors) {
    return errors.isEmpty()
        ? "no answer in time"
        : errors.get(0).kind() + ": " + errors.get(0).message();
  }

  /**
   * Returns the number of keys with a prefix that the store counts; empty without a prefix or an
   * answer.
   */
  private static OptionalLong keyCount(Connection connection, byte[] prefix) {
    if (prefix.length == 0) {
      return OptionalLong.empty();
    }
    CompletableFuture<Answer> count = new CompletableFuture<>();
    connection.submit(
        new Request.Range(prefix, 0, ReturnedValue.COUNT, ReadConsistency.LINEARIZABLE),
        Completion.of(count));
    return count
        .thenApply(
            answer ->
                answer instanceof Answer.Entries entries
                    ? OptionalLong.of(entries.count())
                    : OptionalLong.empty())
        .exceptionally(failure -> OptionalLong.empty())
        .join();
  }

  /**
   * Reads keys, and compares each value with the possible values of the key. Request n reads the
   * n-th of the keys that were still unread when this object was created.
   */
  private static final class KeyReads implements RequestSource {
    private final ExpectedKeys expected;
    private final KeyFaults faults;
    private final BitSet done;
    private final int[] places;

    /**
     * Creates the reads.
     *
     * @param done which keys were read; guarded by itself
     */
    KeyReads(ExpectedKeys expected, KeyFaults faults, BitSet done) {
      this.expected = expected;
      this.faults = faults;
      this.done = done;
      BitSet left = new BitSet();
      left.set(0, expected.count());
      synchronized (done) {
        left.andNot(done);
      }
      this.places = left.stream().toArray();
    }

    int count() {
      return places.length;
    }

    @Override
    public void send(Connection connection, long index, Completion completion) {
      int place = places[(int) index];
      byte[] key = expected.key(place);
      connection.submit(
          new Request.Get(key, ReadConsistency.LINEARIZABLE),
          completion.withAnswer(
              answer -> {
                faults.add(key, expected.fault(place, answer));
                synchronized (done) {
                  done.set(place);
                }
                completion.answered(Answer.WRITTEN);
              }));
    }
  }

  /** Receives the progress of reading keys back, about five times a second. */
  @FunctionalInterface
  public interface Progress {
    /** Reports how many keys were read, of how many. */
    void read(long read, long all);
  }

  /**
   * Time limits of reading keys back.
   *
   * @param withoutSuccess time without a connection or an answer after which it stops
   * @param total time after which it stops in any case
   */
  public record Limits(Duration withoutSuccess, Duration total) {
    /** Limits after a complete run. */
    public static final Limits PATIENT = new Limits(Duration.ofSeconds(30), Duration.ofDays(1));

    /** Limits after a run that was stopped early, whose servers may be gone. */
    public static final Limits AFTER_FAILURE =
        new Limits(Duration.ofSeconds(10), Duration.ofMinutes(2));

    /** Limits after an interrupt, when a user waits for the end. */
    public static final Limits AFTER_INTERRUPT =
        new Limits(Duration.ofSeconds(5), Duration.ofSeconds(10));
  }

  /**
   * Counts the keys that were read back, and the missing or wrong ones. Safe for several threads.
   */
  private static final class KeyFaults {
    private static final int MAX_NAMED = 10;

    private final TreeMap<String, String> first = new TreeMap<>();
    private long read;
    private long missing;
    private long wrong;

    synchronized void add(byte[] key, Optional<String> found) {
      read++;
      if (found.isEmpty()) {
        return;
      }
      if (found.get().equals(ExpectedKeys.MISSING)) {
        missing++;
      } else {
        wrong++;
      }
      first.put(new String(key, US_ASCII), found.get());
      if (first.size() > MAX_NAMED) {
        first.pollLastEntry();
      }
    }

    synchronized long read() {
      return read;
    }

    synchronized long missing() {
      return missing;
    }

    synchronized long wrong() {
      return wrong;
    }

    synchronized List<Verification.Fault> first() {
      List<Verification.Fault> faults = new ArrayList<>();
      first.forEach((key, found) -> faults.add(new Verification.Fault(key, found)));
      return faults;
    }
  }
}
