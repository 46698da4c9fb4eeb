// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import io.quorate.gatling.StoreComponents.StoreSession;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.ErrorKind;
import org.jspecify.annotations.Nullable;

/** The wait of a user for a lock; on the event loop of the user. */
final class LockWait implements Completion {
  private final Turn turn;
  private final byte[] lock;

  /** The session that is in the queue; null before that, and at the end. */
  private @Nullable StoreSession session;

  LockWait(Turn turn) {
    this.turn = turn;
    this.lock = turn.key("lock");
  }

  void begin() {
    if (turn.user().locks.containsKey(turn.text("lock"))) {
      turn.failed(ErrorKind.REJECTED, "the user holds this lock already");
      return;
    }
    turn.later(
        StoreActionKind.within(turn, "within"),
        () -> {
          turn.failed(
              ErrorKind.TIMEOUT,
              session == null
                  ? "the store has opened no session in time"
                  : "another client holds the lock");
          giveUp();
        });
    turn.user().freeSession(turn, this::acquire);
  }

  private void acquire(StoreSession free) {
    if (turn.ended()) {
      turn.user().store.giveBack(free);
    } else {
      session = free;
      free.lock().acquire(lock, this);
    }
  }

  @Override
  public void answered(Answer answer) {
    turn.inLoop(
        () -> {
          StoreSession holder = session;
          if (holder != null) {
            turn.user().locks.put(turn.text("lock"), holder);
            session = null;
            turn.answered(answer);
          }
        });
  }

  @Override
  public void failed(ErrorKind kind, String message) {
    turn.failed(kind, message);
    turn.inLoop(this::giveUp);
  }

  /** Ends the session, and so its place in the queue. */
  private void giveUp() {
    if (session != null) {
      turn.user().store.end(session);
      session = null;
    }
  }

  /** Releases a lock, or removes a registered key. */
  static void release(Turn turn) {
    StoreUser user = turn.user();
    turn.endInTime("the store has not confirmed the release");
    if (turn.has("key")) {
      user.registered(turn, own -> own.own().release(turn.key("key"), turn));
      return;
    }
    StoreSession held = user.locks.remove(turn.text("lock"));
    if (held == null) {
      turn.failed(ErrorKind.MISSING, "the user does not hold this lock");
      return;
    }
    held.lock()
        .release(
            Completion.of(
                answer -> {
                  user.store.giveBack(held);
                  turn.answered(answer);
                },
                (kind, message) -> {
                  user.store.end(held);
                  turn.failed(kind, message);
                }));
  }
}
