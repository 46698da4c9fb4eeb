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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
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
  private final Queue<String> granted = new ConcurrentLinkedQueue<>();

  SharedLeases(Duration ttl, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    int seconds = (int) ttl.toSeconds();
    int use = Math.max(1, Math.min(LONGEST_SECONDS, seconds / PART_OF_TTL));
    this.grant = new Request.GrantLease(seconds + use);
    this.useNanos = Duration.ofSeconds(use).toNanos();
    this.current = new AtomicReference<>(new Lease(nanoTime.getAsLong() - useNanos));
  }

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

  /** Passes the name of a lease to a write that is sent now, or ends it if there is none. */
  void attach(Connection connection, Completion completion, Consumer<String> write) {
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
    if (!lease.outcome.isDone()) {
      completion.sent(now, 0); // the wait belongs to the write, as in an API server
    }
    lease.outcome.thenAccept(
        outcome ->
            outcome
                .lease()
                .ifPresentOrElse(
                    write, () -> completion.failed(outcome.kind(), outcome.message())));
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
              granted.add(name);
              lease.outcome.complete(new Outcome(Optional.of(name), ErrorKind.OTHER, ""));
            },
            (kind, message) ->
                lease.outcome.complete(
                    new Outcome(Optional.empty(), kind, "no lease: " + message))));
  }

  /** Returns the names of all leases so far, some of which may have ended. */
  List<String> granted() {
    return List.copyOf(granted);
  }
}
