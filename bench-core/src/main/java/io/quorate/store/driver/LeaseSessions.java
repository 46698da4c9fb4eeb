// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.driver;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.quorate.DaemonThreads;
import io.quorate.QuorateException;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.ErrorKind;
import io.quorate.store.Session;
import io.quorate.store.SessionListener;
import io.quorate.store.Sessions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Sessions of stores whose clients keep a lease alive by requests. All share one thread, which
 * sends the keep-alives.
 */
public final class LeaseSessions implements Sessions {
  private static final int KEEP_ALIVES_OF_TTL = 3;
  private static final int PHASES = 10;

  /** Part of etcd's error for a lease that has ended. */
  private static final String ENDED = "lease not found";

  private static final int REVOKED_AT_ONCE = 16;

  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final List<? extends Leases> members;
  private final Duration ttl;
  private final ScheduledExecutorService clock;
  private final AtomicInteger opened = new AtomicInteger();
  private volatile boolean closed;

  /** The leases of a store, at one member. Each method sends one request, and does not wait. */
  public interface Leases extends AutoCloseable {
    /** Grants a lease, with the answer {@link Answer.Granted}. */
    void grant(Duration ttl, Completion completion);

    /**
     * Keeps a lease alive, with the answer {@link Answer.Renewed}, or {@link Answer.Missing}.
     *
     * @param timeout time after which it fails
     */
    void keepAlive(String lease, Duration timeout, Completion completion);

    /** As {@link Session#acquire}. */
    void acquire(String lease, byte[] key, Completion completion);

    /** As {@link Session#release}. */
    void release(String lease, byte[] key, Completion completion);

    /** As {@link Session#enqueue}; the place is a given key, which does not exist. */
    void enqueue(String lease, byte[] place, Completion completion);

    /** As {@link Session#predecessor}. */
    void predecessor(byte[] lock, Answer.Place place, Completion completion);

    /**
     * As {@link Session#awaitRemoval}.
     *
     * @return ends the wait, which then fails; does nothing after its end
     */
    Runnable awaitRemoval(Answer.Place place, Completion completion);

    /** As {@link Session#leave}. */
    void leave(Answer.Place place, Completion completion);

    /** Ends a lease, and removes its keys. */
    void revoke(String lease, Completion completion);

    @Override
    void close();
  }

  /**
   * @param members the leases at each member, which this closes
   */
  public LeaseSessions(String threadName, List<? extends Leases> members, Duration ttl) {
    this.members = List.copyOf(members);
    this.ttl = ttl;
    this.clock = DaemonThreads.clock(threadName);
  }

  @Override
  public Session open(int home, SessionListener listener) {
    String failure = "there is none";
    for (int attempt = 0; attempt < members.size(); attempt++) {
      int member = (home + attempt) % members.size();
      CompletableFuture<Answer> granted = new CompletableFuture<>();
      long sentNanos = System.nanoTime();
      members.get(member).grant(ttl, Completion.of(granted));
      try {
        if (!(granted.join() instanceof Answer.Granted given)) {
          throw new CompletionException(new QuorateException("the member granted no session"));
        }
        String lease = given.lease();
        Lease session = new Lease(lease, member, listener);
        session.renewed(sentNanos);
        session.schedule(System.nanoTime() + firstInterval().toNanos());
        return session;
      } catch (CompletionException failed) {
        failure = String.valueOf(Objects.requireNonNull(failed.getCause()).getMessage());
      }
    }
    throw new QuorateException("no member grants a session: " + failure);
  }

  /** Returns a different part of the interval for ten sessions: they do not all send at once. */
  private Duration firstInterval() {
    return interval().multipliedBy(1 + opened.getAndIncrement() % PHASES).dividedBy(PHASES);
  }

  private Duration interval() {
    return ttl.dividedBy(KEEP_ALIVES_OF_TTL);
  }

  @Override
  public void close() {
    closed = true;
    clock.shutdownNow();
    members.forEach(Leases::close);
  }

  private final class Lease implements Session {
    private final String id;
    private final SessionListener listener;
    private volatile int member;
    private volatile boolean ended;

    /** Ends the last wait for the removal of a place. */
    private volatile Runnable endOfWait = () -> {};

    private final AtomicInteger places = new AtomicInteger();

    Lease(String id, int member, SessionListener listener) {
      this.id = id;
      this.member = member;
      this.listener = listener;
    }

    private void schedule(long nanos) {
      try {
        clock.schedule(
            this::keepAlive, Math.max(0, nanos - System.nanoTime()), TimeUnit.NANOSECONDS);
      } catch (RejectedExecutionException afterClose) {
        ended = true;
      }
    }

    private void keepAlive() {
      if (ended) {
        return;
      }
      long startNanos = System.nanoTime();
      int asked = member;
      members
          .get(asked)
          .keepAlive(
              id,
              interval(),
              outcome(
                  answer -> {
                    if (answer instanceof Answer.Renewed) {
                      renewed(startNanos);
                      schedule(startNanos + interval().toNanos());
                    } else {
                      lost();
                    }
                  },
                  failed -> {
                    moveFrom(asked);
                    schedule(startNanos + RETRY_NANOS);
                  }));
    }

    private void renewed(long sentNanos) {
      listener.renewed(sentNanos, System.nanoTime());
    }

    private void lost() {
      if (!ended && !closed) {
        ended = true;
        listener.lost("the store knows no such session");
      }
    }

    private void moveFrom(int failing) {
      if (member == failing) {
        member = (failing + 1) % members.size();
      }
    }

    @Override
    public String id() {
      return id;
    }

    @Override
    public Duration ttl() {
      return ttl;
    }

    @Override
    public void acquire(byte[] key, Completion completion) {
      int asked = member;
      members.get(asked).acquire(id, key, moving(asked, completion));
    }

    @Override
    public void release(byte[] key, Completion completion) {
      int asked = member;
      members.get(asked).release(id, key, moving(asked, completion));
    }

    @Override
    public void enqueue(byte[] lock, Completion completion) {
      int asked = member;
      // a different key each time: others may still wait for the removal of the last one
      String place = new String(lock, ISO_8859_1) + "/" + id + "-" + places.incrementAndGet();
      members.get(asked).enqueue(id, place.getBytes(ISO_8859_1), moving(asked, completion));
    }

    @Override
    public void predecessor(byte[] lock, Answer.Place place, Completion completion) {
      int asked = member;
      members.get(asked).predecessor(lock, place, moving(asked, completion));
    }

    @Override
    public void awaitRemoval(Answer.Place place, Completion completion) {
      int asked = member;
      endOfWait = members.get(asked).awaitRemoval(place, moving(asked, completion));
      if (ended) {
        endOfWait.run();
      }
    }

    @Override
    public void leave(Answer.Place place, Completion completion) {
      int asked = member;
      members.get(asked).leave(place, moving(asked, completion));
    }

    /** Returns a completion that lets the session move if the member does not answer. */
    private Completion moving(int asked, Completion completion) {
      return Completion.of(
          completion::answered,
          (kind, message) -> {
            if (kind == ErrorKind.CONNECTION || kind == ErrorKind.TIMEOUT) {
              moveFrom(asked);
            }
            completion.failed(kind, message);
          });
    }

    @Override
    public void abandon() {
      ended = true;
      endOfWait.run();
    }

    @Override
    public void close() {
      if (!ended) {
        Leases at = members.get(member); // before the end of a wait, which may look for another one
        abandon();
        at.revoke(id, outcome(answer -> {}, failed -> {}));
      }
    }
  }

  /**
   * Ends leases at a member, as {@link io.quorate.store.StoreClient#revoke} does, some at a time.
   * Gives up a member that ends none of some.
   */
  public static void revoke(Leases member, List<String> leases) {
    List<String> problems = new ArrayList<>();
    for (int from = 0; from < leases.size(); from += REVOKED_AT_ONCE) {
      List<String> some = leases.subList(from, Math.min(from + REVOKED_AT_ONCE, leases.size()));
      int before = problems.size();
      some.stream().map(lease -> revoked(member, lease)).toList().stream()
          .flatMap(outcome -> problem(outcome).stream())
          .forEach(problems::add);
      if (problems.size() == before + some.size()) {
        break;
      }
    }
    if (!problems.isEmpty()) {
      throw new QuorateException(
          "%d of %d leases cannot be revoked: %s"
              .formatted(problems.size(), leases.size(), problems.get(0)));
    }
  }

  private static CompletableFuture<Answer> revoked(Leases member, String lease) {
    CompletableFuture<Answer> outcome = new CompletableFuture<>();
    member.revoke(lease, Completion.of(outcome));
    return outcome;
  }

  /** Returns why a lease did not end; empty if it has ended, also earlier. */
  private static Optional<String> problem(CompletableFuture<Answer> outcome) {
    try {
      outcome.join();
      return Optional.empty();
    } catch (CompletionException failed) {
      return Optional.of(String.valueOf(failed.getMessage())).filter(why -> !why.contains(ENDED));
    }
  }

  private static Completion outcome(Consumer<Answer> answered, Consumer<String> failed) {
    return Completion.of(answered, (kind, message) -> failed.accept(message));
  }
}
