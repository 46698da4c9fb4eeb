// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.ErrorKind;
import io.quorate.store.Request;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/**
 * Leases that keys share, as in the {@code leaseManager} of a Kubernetes API server: one lease is
 * for at most {@value #MOST_KEYS} keys that are written within a twentieth of the TTL, at most a
 * minute, by which it is longer than the TTL. So no key ends earlier than its TTL after its write.
 * The first write that needs a lease grants it, and others wait for it. Safe for several threads,
 * without locks.
 */
final class SharedLeases {
  static final int MOST_KEYS = 1000;

  private static final int PART_OF_TTL = 20;

  private static final int LONGEST_SECONDS = 60;

  private final Request.GrantLease grant;
  private final LongSupplier nanoTime;
  private final long useNanos;
  private final AtomicReference<Lease> current;
  private final long timeoutNanos;
  private final Queue<Granted> granted = new ConcurrentLinkedQueue<>();

  /**
   * Creates leases for keys.
   *
   * @param timeout time limit of a write, with its wait for a lease
   */
  SharedLeases(Duration ttl, Duration timeout, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.timeoutNanos = timeout.toNanos();
    int seconds = (int) ttl.toSeconds();
    int use = Math.max(1, Math.min(LONGEST_SECONDS, seconds / PART_OF_TTL));
    this.grant = new Request.GrantLease(seconds + use);
    this.useNanos = Duration.ofSeconds(use).toNanos();
    this.current = new AtomicReference<>(new Lease(nanoTime.getAsLong() - useNanos));
  }

  /** A lease, and when its grant was known. */
  private record Granted(String lease, long atNanos) {}

  /** The outcome of a grant; without a lease, why it failed. */
  private record Outcome(Optional<String> lease, ErrorKind kind, String message) {}

  /** A lease that was requested. */
  private static final class Lease {
    final long requestedNanos;
    final AtomicInteger keys = new AtomicInteger();
    final CompletableFuture<Outcome> outcome = new CompletableFuture<>();

    Lease(long requestedNanos) {
      this.requestedNanos = requestedNanos;
    }

    boolean failed() {
      return outcome.isDone() && outcome.join().lease().isEmpty();
    }
  }

  /** A write that is sent once it has a lease; its outcome goes to a completion. */
  interface Write extends Completion {
    void send(String lease, Completion outcome);
  }

  /** Passes the name of a lease to a write that is sent now, or fails it if there is none. */
  void attach(Connection connection, Write write) {
    long now = nanoTime.getAsLong();
    Lease lease = present();
    while (now - lease.requestedNanos >= useNanos
        || lease.failed()
        || lease.keys.incrementAndGet() > MOST_KEYS) {
      Lease next = new Lease(now);
      if (current.compareAndSet(lease, next)) {
        next.keys.set(1);
        grant(connection, next);
        lease = next;
        break; // a grant that fails at once fails this write, and not all that it would ask for
      }
      lease = present();
    }
    if (lease.outcome.isDone()) {
      send(write, lease.outcome.join(), write);
      return;
    }
    write.sent(now, 0); // the wait belongs to the write, as in an API server
    Waiting waiting = new Waiting(write);
    lease.outcome.thenAccept(
        outcome -> {
          if (!waiting.ended.get()) {
            send(write, outcome, waiting);
          }
        });
  }

  private static void send(Write write, Outcome lease, Completion outcome) {
    lease
        .lease()
        .ifPresentOrElse(
            name -> write.send(name, outcome), () -> outcome.failed(lease.kind(), lease.message()));
  }

  /** Fails a write that has waited for a lease after its timeout, and ignores what comes later. */
  private final class Waiting implements Completion {
    private final Completion write;
    private final AtomicBoolean ended = new AtomicBoolean();

    Waiting(Completion write) {
      this.write = write;
      CompletableFuture.delayedExecutor(timeoutNanos, TimeUnit.NANOSECONDS, Runnable::run)
          .execute(
              () ->
                  failed(
                      ErrorKind.TIMEOUT,
                      "no answer within %d ms, with the wait for a lease"
                          .formatted(TimeUnit.NANOSECONDS.toMillis(timeoutNanos))));
    }

    @Override
    public void answered(Answer answer) {
      if (ended.compareAndSet(false, true)) {
        write.answered(answer);
      }
    }

    @Override
    public void failed(ErrorKind kind, String message) {
      if (ended.compareAndSet(false, true)) {
        write.failed(kind, message);
      }
    }
  }

  private Lease present() {
    return Objects.requireNonNull(current.get());
  }

  private void grant(Connection connection, Lease lease) {
    connection.submit(
        grant,
        Completion.of(
            answer -> {
              String name = ((Answer.Granted) answer).lease();
              granted.add(new Granted(name, nanoTime.getAsLong()));
              forgetEnded();
              lease.outcome.complete(new Outcome(Optional.of(name), ErrorKind.OTHER, ""));
            },
            (kind, message) ->
                lease.outcome.complete(
                    new Outcome(Optional.empty(), kind, "no lease: " + message))));
  }

  /** Forgets leases after twice their TTL, when the sessions of Consul have ended, too. */
  private void forgetEnded() {
    long now = nanoTime.getAsLong();
    long most = 2 * Duration.ofSeconds(grant.ttlSeconds()).toNanos();
    granted.removeIf(each -> now - each.atNanos() > most);
  }

  /** Returns the names of all leases that may not have ended. */
  List<String> granted() {
    return granted.stream().map(Granted::lease).toList();
  }
}
