// SPDX-License-Identifier: Apache-2.0
package io.quorate.fault;

import io.quorate.DaemonThreads;
import io.quorate.QuorateException;
import io.quorate.results.SessionRecord;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Request;
import io.quorate.store.Session;
import io.quorate.store.SessionListener;
import io.quorate.store.Sessions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Clients next to the load that each hold a session with a key. At each fault, one client of each
 * member stops as if it had died. Linearizable reads, every {@value #POLL_MILLIS} ms, show when its
 * key disappears. A session that has ended is replaced by a new one. All share a few threads.
 */
final class SessionClients implements AutoCloseable {
  private static final int OPENING_AT_ONCE = 16;
  private static final long POLL_MILLIS = 100;
  private static final long AGAIN_SECONDS = 1;
  private static final Duration START_LIMIT = Duration.ofSeconds(30);

  /** Longest wait for the end of abandoned sessions, in TTLs. */
  private static final int LONGEST_OF_TTL = 4;

  private final Sessions sessions;
  private final List<String> members;
  private final MemberConnections reader;
  private final String prefix;
  private final long originNanos;
  private final Consumer<List<SessionRecord>> output;
  private final AtomicLong numbers = new AtomicLong();
  private final List<Client> alive = new ArrayList<>();
  private final List<Client> dying = new ArrayList<>();

  /** Sessions that have ended, and are not written yet. */
  private final List<SessionRecord> ended = new ArrayList<>();

  private final ExecutorService openers =
      Executors.newFixedThreadPool(OPENING_AT_ONCE, DaemonThreads.named("session-opener"));
  private final ScheduledExecutorService clock = DaemonThreads.clock("session-clients");
  private boolean closed;

  /**
   * @param reader connections for the reads, which this does not close
   * @param prefix first part of the keys
   */
  SessionClients(
      Sessions sessions,
      List<String> members,
      MemberConnections reader,
      String prefix,
      long originNanos,
      Consumer<List<SessionRecord>> output) {
    this.sessions = sessions;
    this.members = members;
    this.reader = reader;
    this.prefix = prefix;
    this.originNanos = originNanos;
    this.output = output;
  }

  /**
   * Opens sessions, and begins.
   *
   * @throws QuorateException if one cannot be opened within 30 s
   */
  void start(int count) {
    List<CompletableFuture<Void>> opening =
        IntStream.range(0, count)
            .mapToObj(number -> CompletableFuture.runAsync(() -> openPatiently(number), openers))
            .toList();
    try {
      opening.forEach(CompletableFuture::join);
    } catch (CompletionException failed) {
      throw new QuorateException(
          "a session next to the load cannot be opened: "
              + Objects.requireNonNull(failed.getCause()).getMessage(),
          failed);
    }
    clock.scheduleWithFixedDelay(this::poll, POLL_MILLIS, POLL_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Opens a session, again and again up to a limit, as many are opened at once. */
  private void openPatiently(int home) {
    long deadline = System.nanoTime() + START_LIMIT.toNanos();
    while (true) {
      try {
        open(home);
        return;
      } catch (QuorateException | CompletionException failed) {
        if (System.nanoTime() - deadline > 0) {
          throw failed;
        }
      }
    }
  }

  private void open(int home) {
    Client client = new Client(numbers.incrementAndGet(), home % members.size());
    Session session = sessions.open(client.home, client);
    client.session = session;
    try {
      CompletableFuture<Answer> held = new CompletableFuture<>();
      session.acquire(client.key, Completion.of(held));
      if (!(held.join() instanceof Answer.Written)) {
        throw new QuorateException("the key of a new session exists");
      }
    } catch (QuorateException | CompletionException failed) {
      session.close();
      throw failed;
    }
    add(client);
  }

  private synchronized void add(Client client) {
    if (closed) {
      client.session().abandon();
      return;
    }
    client.openedNanos = now();
    alive.add(client);
    client.lost.ifPresent(why -> end(client)); // at once
  }

  /** Opens a session for one that has ended; tries again until it succeeds or this is closed. */
  private void replace(int home) {
    try {
      openers.execute(
          () -> {
            try {
              open(home);
            } catch (QuorateException | CompletionException later) {
              replaceLater(home);
            }
          });
    } catch (RejectedExecutionException afterClose) {
      return;
    }
  }

  private void replaceLater(int home) {
    try {
      clock.schedule(() -> replace(home), AGAIN_SECONDS, TimeUnit.SECONDS);
    } catch (RejectedExecutionException afterClose) {
      return;
    }
  }

  /** Lets one client of each member stop as if it had died. Does not wait. */
  synchronized void faultBegins() {
    for (int member = 0; member < members.size(); member++) {
      int home = member;
      alive.stream().filter(each -> each.home == home).findFirst().ifPresent(this::abandon);
    }
  }

  private void abandon(Client client) {
    client.abandonedNanos = OptionalLong.of(now());
    client.session().abandon();
    alive.remove(client);
    dying.add(client);
    replace(client.home);
  }

  private void poll() {
    List<Client> polled;
    List<SessionRecord> written;
    synchronized (this) {
      polled = List.copyOf(dying);
      written = List.copyOf(ended);
      ended.clear();
    }
    if (!written.isEmpty()) {
      output.accept(written);
    }
    for (Client each : polled) {
      long sentNanos = now();
      reader.submit(
          new Request.Get(each.key, ReadConsistency.LINEARIZABLE),
          Completion.of(
              answer -> {
                if (answer instanceof Answer.Missing) {
                  disappeared(each, now());
                } else {
                  each.found(sentNanos);
                }
              },
              (kind, message) -> {
                // the next read shows it
              }));
    }
  }

  private synchronized void disappeared(Client client, long nanos) {
    if (dying.remove(client)) {
      client.endedNanos = OptionalLong.of(nanos);
      ended.add(client.record());
      notifyAll();
    }
  }

  private synchronized void lost(Client client, String why, long nanos) {
    client.endedNanos = OptionalLong.of(nanos);
    client.lost = Optional.of(why);
    end(client);
  }

  private void end(Client client) {
    if (alive.remove(client)) {
      ended.add(client.record());
      replace(client.home);
    }
  }

  /** Waits until all abandoned sessions have ended, up to a limit. */
  synchronized void awaitEnds(BooleanSupplier cancelled) {
    long ttlNanos =
        dying.stream().mapToLong(each -> each.session().ttl().toNanos()).max().orElse(0);
    long deadline = System.nanoTime() + LONGEST_OF_TTL * ttlNanos;
    try {
      while (!dying.isEmpty() && !cancelled.getAsBoolean() && System.nanoTime() - deadline < 0) {
        wait(POLL_MILLIS);
      }
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
    }
  }

  private long now() {
    return System.nanoTime() - originNanos;
  }

  /** Records the sessions that have not ended. Idempotent. */
  @Override
  public void close() {
    List<SessionRecord> rest;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      rest = new ArrayList<>(ended);
      alive.forEach(each -> rest.add(each.record()));
      dying.forEach(each -> rest.add(each.record()));
      alive.clear();
      dying.clear();
    }
    clock.shutdownNow();
    openers.shutdown();
    output.accept(rest);
  }

  private final class Client implements SessionListener {
    private final long number;
    private final int home;
    private final byte[] key;

    /** The session; null while it is being opened, when it may already report. */
    private volatile @Nullable Session session;

    private volatile long renewalSentNanos;
    private volatile long renewedNanos;
    private long openedNanos;
    private OptionalLong abandonedNanos = OptionalLong.empty();
    private volatile OptionalLong heldNanos = OptionalLong.empty();
    private OptionalLong endedNanos = OptionalLong.empty();
    private Optional<String> lost = Optional.empty();

    Client(long number, int home) {
      this.number = number;
      this.home = home;
      this.key = (prefix + "session-" + number).getBytes(StandardCharsets.US_ASCII);
    }

    Session session() {
      return Objects.requireNonNull(session);
    }

    @Override
    public void renewed(long sentNanos, long nanos) {
      renewalSentNanos = sentNanos - originNanos;
      renewedNanos = nanos - originNanos;
    }

    @Override
    public void lost(String why) {
      SessionClients.this.lost(this, why, now());
    }

    void found(long sentNanos) {
      if (heldNanos.isEmpty() || heldNanos.getAsLong() < sentNanos) {
        heldNanos = OptionalLong.of(sentNanos);
      }
    }

    SessionRecord record() {
      return new SessionRecord(
          number,
          session().id(),
          members.get(home),
          session().ttl().toNanos(),
          openedNanos,
          renewedNanos,
          abandonedNanos,
          heldNanos,
          endedNanos,
          lost,
          OptionalInt.empty(),
          renewalSentNanos);
    }
  }
}
