// SPDX-License-Identifier: Apache-2.0
package io.quorate.fault;

import io.quorate.DaemonThreads;
import io.quorate.Pause;
import io.quorate.QuorateException;
import io.quorate.results.WatchedWrite;
import io.quorate.store.Answer;
import io.quorate.store.DriverSettings;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Request;
import io.quorate.store.StoreClient;
import io.quorate.store.Subscriptions;
import io.quorate.store.Watch;
import io.quorate.store.WatchSupport;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Clients next to the load that watch a few keys, and one client that writes a key every {@value
 * #INTERVAL_MILLIS} ms, with numbered values. It reads the key, and writes it unless it has changed
 * (compare-and-set), so that a write whose answer was lost cannot take effect after a later one.
 * The watches of a member share a stream, which stays at its member.
 */
final class WatchClients implements AutoCloseable {
  static final int MOST_KEYS = 3;
  private static final long INTERVAL_MILLIS = 100;
  private static final Duration START_LIMIT = Duration.ofSeconds(30);

  /** Longest wait for the last events. */
  private static final Duration DRAIN_LIMIT = Duration.ofSeconds(20);

  private final MemberConnections writer;
  private final long originNanos;
  private final Consumer<List<WatchedWrite>> output;
  private final List<WatchedKey> keys;
  private final List<Subscriptions> streams = new ArrayList<>();
  private final StopSignal stop = new StopSignal();
  private @Nullable Thread thread;
  private boolean closed;

  /**
   * @param writer connections for the writes, which this does not close
   * @param prefix first part of the keys
   */
  WatchClients(
      MemberConnections writer,
      WatchSupport support,
      String prefix,
      long originNanos,
      Consumer<List<WatchedWrite>> output) {
    this.writer = writer;
    this.originNanos = originNanos;
    this.output = output;
    this.keys =
        IntStream.range(0, MOST_KEYS)
            .mapToObj(
                key ->
                    new WatchedKey(
                        key,
                        (prefix + "watched-" + key).getBytes(StandardCharsets.US_ASCII),
                        support.ofKey() == WatchSupport.Delivery.EVERY_CHANGE))
            .toList();
  }

  /**
   * Creates the keys, and starts the watches, over all members.
   *
   * @throws QuorateException if that fails
   */
  void prepare(int count, StoreClient client, List<DriverSettings> members) {
    keys.forEach(this::create);
    members.forEach(each -> streams.add(client.subscribe(each)));
    CountDownLatch started = new CountDownLatch(count);
    for (int watch = 0; watch < count; watch++) {
      WatchedKey key = keys.get(watch % keys.size());
      Subscriptions stream = streams.get(watch / keys.size() % streams.size());
      stream.watch(Watch.ofKey(key.key()), key.watch(started::countDown, this::now));
    }
    try {
      if (!started.await(START_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        throw new QuorateException(
            "%d of %d watches next to the load did not start within %d s"
                .formatted(started.getCount(), count, START_LIMIT.toSeconds()));
      }
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new QuorateException("interrupted while watches started");
    }
  }

  /** Creates a key; its answer may be late if many watches or sessions are opened. */
  private void create(WatchedKey key) {
    long deadline = System.nanoTime() + START_LIMIT.toNanos();
    while (writer.answer(Request.create(key.key(), value(0))).isEmpty() && !exists(key)) {
      if (System.nanoTime() - deadline > 0) {
        throw new QuorateException("a key to watch cannot be written");
      }
    }
  }

  private boolean exists(WatchedKey key) {
    return writer
        .answer(new Request.Get(key.key(), ReadConsistency.LINEARIZABLE))
        .filter(Answer.Found.class::isInstance)
        .isPresent();
  }

  /** Begins to write, if there are watches. */
  void start() {
    if (keys.stream().anyMatch(WatchedKey::isWatched)) {
      thread = DaemonThreads.start("watched-writer", this::write);
    }
  }

  private void write() {
    long begin = System.nanoTime();
    long turn = 0;
    while (stop.sleepUntil(begin + TimeUnit.MILLISECONDS.toNanos(turn * INTERVAL_MILLIS))) {
      write(keys.get((int) (turn % keys.size())));
      long due = (System.nanoTime() - begin) / TimeUnit.MILLISECONDS.toNanos(INTERVAL_MILLIS);
      turn = Math.max(turn, due) + 1;
    }
  }

  private void write(WatchedKey key) {
    Answer read =
        writer
            .answer(new Request.Get(key.key(), ReadConsistency.LINEARIZABLE))
            .orElse(Answer.MISSING);
    if (!(read instanceof Answer.Found found)) {
      return;
    }
    long number = key.begins(now());
    Optional<Answer> answer =
        writer.answer(new Request.CompareAndSet(key.key(), value(number), found.revision()));
    key.ended(
        number,
        answer.isPresent() && answer.get() instanceof Answer.Written
            ? OptionalLong.of(now())
            : OptionalLong.empty(),
        answer.isPresent() && !(answer.get() instanceof Answer.Written));
  }

  private static byte[] value(long number) {
    return String.format(Locale.ROOT, "%016d", number).getBytes(StandardCharsets.US_ASCII);
  }

  private long now() {
    return System.nanoTime() - originNanos;
  }

  /** Writes nothing more; the watches stay. Idempotent. */
  void stop() {
    stop.stop();
    Thread writing = thread;
    if (writing != null) {
      Pause.until(writing::join);
    }
  }

  /** Waits until each watch has reported the last write of its key, up to a limit. */
  void awaitEvents(BooleanSupplier cancelled) {
    long deadline = System.nanoTime() + DRAIN_LIMIT.toNanos();
    for (WatchedKey each : keys) {
      each.awaitLast(deadline, cancelled);
    }
  }

  /** Ends the watches, and records all writes. Idempotent. */
  @Override
  public void close() {
    stop();
    streams.forEach(Subscriptions::close);
    if (!closed) {
      closed = true;
      List<WatchedWrite> writes = new ArrayList<>();
      keys.forEach(each -> writes.addAll(each.writes()));
      output.accept(writes);
    }
  }
}
