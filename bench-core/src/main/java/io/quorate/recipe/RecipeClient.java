// SPDX-License-Identifier: Apache-2.0
package io.quorate.recipe;

import io.quorate.results.LockRecord;
import io.quorate.store.SessionListener;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A client of a step, with a session. It believes that it holds a lock from the answer until it
 * begins to release it, or learns that its session has ended. Safe for several threads.
 *
 * @param <S> kind of its session
 */
final class RecipeClient<S> implements SessionListener {
  private final int number;
  private final int step;
  private final LongSupplier now;

  /** The session; null while there is none. */
  private @Nullable S session;

  private int held;
  private boolean holding;
  private boolean paused;
  private boolean lost;
  private long requestedNanos;
  private long heldNanos;
  private long lostNanos;
  private long token;

  /**
   * @param now present time, in nanoseconds since the beginning of the records
   */
  RecipeClient(int number, int step, LongSupplier now) {
    this.number = number;
    this.step = step;
    this.now = now;
  }

  int number() {
    return number;
  }

  synchronized S session() {
    return Objects.requireNonNull(session);
  }

  /** Returns its last session; empty before the first. */
  synchronized Optional<S> lastSession() {
    return Optional.ofNullable(session);
  }

  /** Begins to use a new session. */
  synchronized void opened(S fresh) {
    session = fresh;
    lost = false;
    paused = false;
  }

  /** Notes when it requests what it will hold. */
  synchronized void requests(long nanos) {
    requestedNanos = nanos;
  }

  /** Notes that it holds what it has requested; returns how often it has held something. */
  synchronized int holds(long fencing, long nanos) {
    token = fencing;
    heldNanos = nanos;
    holding = true;
    return ++held;
  }

  /** Notes that it does not learn of the end of its session, as it is paused. */
  synchronized void pauses() {
    paused = true;
  }

  /**
   * Ends the holding of a lock.
   *
   * @param nanos when it begins to release it, or stops
   * @param requests number of requests for it; 0 if unknown
   */
  synchronized LockRecord ends(
      int lock, long nanos, int requests, Optional<LockRecord.End> injected) {
    boolean early = holding && lost && !paused;
    holding = false;
    return new LockRecord(
        lock,
        number,
        token,
        requestedNanos,
        heldNanos,
        early ? Math.max(heldNanos, lostNanos) : nanos,
        early || paused,
        OptionalInt.of(step),
        requests > 0 ? OptionalInt.of(requests) : OptionalInt.empty(),
        injected);
  }

  synchronized boolean isLost() {
    return lost;
  }

  @Override
  public void renewed(long sentNanos, long nanos) {
    // only the loss matters
  }

  @Override
  public void lost(String why) {
    lost(now.getAsLong());
  }

  private synchronized void lost(long nanos) {
    if (!lost) {
      lost = true;
      lostNanos = nanos;
    }
  }
}
