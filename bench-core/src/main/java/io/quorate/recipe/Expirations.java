// SPDX-License-Identifier: Apache-2.0
package io.quorate.recipe;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.quorate.QuorateException;
import io.quorate.results.SessionRecord;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.ErrorKind;
import io.quorate.store.Session;
import io.quorate.store.SessionListener;
import io.quorate.store.Subscriptions;
import io.quorate.store.Watch;
import io.quorate.store.WatchListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sessions with a key each, which are abandoned, and whose end a watch of all these keys reports.
 * With several clients, all of them abandon their sessions at the same time. Safe for several
 * threads.
 */
final class Expirations {
  private static final Duration START_LIMIT = Duration.ofSeconds(30);

  /** Most sessions that are recorded, so that their file can be read. */
  private static final int MOST_RECORDS = 200_000;

  /** Longest wait for the end of an abandoned session, in TTLs. */
  private static final int LONGEST_OF_TTL = 4;

  /** Time without another client after which those that are ready do not wait for the others. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final SessionRecipes.SessionOpener opener;
  private final Supplier<Subscriptions> streams;
  private final String prefix;
  private final long originNanos;

  /** Sessions that have not ended, by their keys. */
  private final Map<String, Expiring> open = new ConcurrentHashMap<>();

  private final AtomicLong recorded = new AtomicLong();
  private final Queue<SessionRecord> ended = new ConcurrentLinkedQueue<>();

  /** Sessions that wait to be abandoned together. */
  private final List<Expiring> ready = new ArrayList<>();

  private @Nullable Subscriptions observer;
  private int step;
  private int together = 1;
  private long readyNanos;

  Expirations(
      SessionRecipes.SessionOpener opener,
      Supplier<Subscriptions> streams,
      String prefix,
      long originNanos) {
    this.opener = opener;
    this.streams = streams;
    this.prefix = prefix + "expire-";
    this.originNanos = originNanos;
  }

  /**
   * Begins a step; starts the watch of the keys.
   *
   * @param count number of sessions that are abandoned together
   * @throws QuorateException if the watch does not start within 30 s
   */
  synchronized void begin(int number, int count) {
    step = number;
    together = count;
    Subscriptions stream = streams.get();
    observer = stream;
    CountDownLatch started = new CountDownLatch(1);
    stream.watch(Watch.ofPrefix(prefix.getBytes(ISO_8859_1)), new Removals(started));
    try {
      if (started.await(START_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        return;
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
    throw new QuorateException("the watch of the keys of sessions does not start");
  }

  /** Opens a session with a key. Blocks until it is open. */
  void expire(long index, Completion completion) {
    Expiring expiring = new Expiring(index, completion);
    Session session;
    try {
      session = opener.open(index, expiring);
    } catch (RuntimeException failed) {
      completion.failed(ErrorKind.CONNECTION, String.valueOf(failed.getMessage()));
      return;
    }
    expiring.session = session;
    expiring.openedNanos = now();
    open.put(expiring.key, expiring);
    session.acquire(
        expiring.key.getBytes(ISO_8859_1),
        new Completion() {
          @Override
          public void answered(Answer answer) {
            if (answer instanceof Answer.Written) {
              if (open.containsKey(expiring.key)) {
                isReady(expiring);
              }
            } else {
              failed(ErrorKind.CONFLICT, "the key of a new session exists");
            }
          }

          @Override
          public void failed(ErrorKind kind, String message) {
            if (open.remove(expiring.key) != null) {
              session.close();
              completion.failed(kind, message);
            }
          }
        });
  }

  private synchronized void isReady(Expiring expiring) {
    ready.add(expiring);
    readyNanos = System.nanoTime();
    if (ready.size() >= together) {
      abandonAll();
    }
  }

  private void abandonAll() {
    ready.forEach(Expiring::abandon);
    ready.clear();
  }

  /** Gives up sessions whose end was not observed; does not wait for clients that do not come. */
  void look() {
    synchronized (this) {
      if (!ready.isEmpty() && System.nanoTime() - readyNanos > PATIENCE.toNanos()) {
        abandonAll();
      }
    }
    long now = now();
    open.values().stream()
        .filter(each -> each.isOverdue(now))
        .forEach(
            each ->
                end(
                    each.key,
                    OptionalLong.empty(),
                    "the end of the session was not seen within four TTLs"));
  }

  private void end(String key, OptionalLong nanos, String why) {
    Expiring expiring = open.remove(key);
    if (expiring == null) {
      return;
    }
    boolean abandoned = expiring.abandonedNanos.isPresent();
    if (recorded.incrementAndGet() <= MOST_RECORDS) {
      ended.add(expiring.record(nanos, abandoned ? Optional.empty() : Optional.of(why)));
    }
    if (abandoned && nanos.isPresent()) {
      expiring.completion.answered(Answer.WRITTEN);
    } else {
      expiring.completion.failed(ErrorKind.OTHER, why);
    }
  }

  /** Returns the sessions that have ended since the last call. */
  List<SessionRecord> ended() {
    List<SessionRecord> all = new ArrayList<>();
    for (SessionRecord each = ended.poll(); each != null; each = ended.poll()) {
      all.add(each);
    }
    return all;
  }

  /** Ends a step; sessions that have not ended are closed. */
  synchronized void end() {
    if (observer != null) {
      observer.close();
      observer = null;
    }
    open.values().forEach(each -> each.session().close());
    open.clear();
    ready.clear();
  }

  private long now() {
    return System.nanoTime() - originNanos;
  }

  private final class Removals implements WatchListener {
    private final CountDownLatch started;

    Removals(CountDownLatch started) {
      this.started = started;
    }

    @Override
    public void started() {
      started.countDown();
    }

    @Override
    public void changed(byte[] key, byte[] value, long revision) {
      // only removals matter
    }

    @Override
    public void removed(byte[] key) {
      end(
          new String(key, ISO_8859_1),
          OptionalLong.of(now()),
          "the database ended a session that was kept alive");
    }

    @Override
    public void interrupted(String why) {
      // events that are lost meanwhile show as sessions whose end was not seen
    }

    @Override
    public void failed(String why) {
      // the same
    }
  }

  private final class Expiring implements SessionListener {
    private final long index;
    private final String key;
    private final Completion completion;

    /** The session; null while it is being opened, when it may already report. */
    private volatile @Nullable Session session;

    private volatile long openedNanos;
    private volatile long renewalSentNanos;
    private volatile long renewedNanos;
    private volatile OptionalLong abandonedNanos = OptionalLong.empty();

    Expiring(long index, Completion completion) {
      this.index = index;
      this.key = "%s%012d".formatted(prefix, index);
      this.completion = completion;
    }

    Session session() {
      return Objects.requireNonNull(session);
    }

    void abandon() {
      abandonedNanos = OptionalLong.of(now());
      session().abandon();
    }

    boolean isOverdue(long now) {
      return abandonedNanos.isPresent()
          && now - abandonedNanos.getAsLong() > LONGEST_OF_TTL * session().ttl().toNanos();
    }

    @Override
    public void renewed(long sentNanos, long nanos) {
      renewalSentNanos = sentNanos - originNanos;
      renewedNanos = nanos - originNanos;
    }

    @Override
    public void lost(String why) {
      end(key, OptionalLong.of(now()), why);
    }

    SessionRecord record(OptionalLong endedNanos, Optional<String> lost) {
      return new SessionRecord(
          index,
          session().id(),
          "",
          session().ttl().toNanos(),
          openedNanos,
          renewedNanos,
          abandonedNanos,
          OptionalLong.empty(),
          endedNanos,
          lost,
          OptionalInt.of(step),
          renewalSentNanos);
    }
  }
}
