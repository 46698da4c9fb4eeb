// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import io.quorate.gatling.StoreComponents.StoreSession;
import io.quorate.store.Completion;
import io.quorate.store.ErrorKind;

/** The locks and registrations of a user; on the event loop of the user. */
final class UserLocks {
  private UserLocks() {}

  /** Waits for a lock. A user that gives up leaves the queue with its session, and then goes on. */
  static void acquire(Turn turn) {
    StoreUser user = turn.user;
    byte[] key = turn.key("lock");
    String lock = turn.text("lock");
    if (user.sessions.containsKey(lock)) {
      turn.failed(ErrorKind.REJECTED, "the user holds this lock already");
      return;
    }
    turn.limit(
        StoreActionKind.within(turn, "within"),
        () ->
            turn.failed(
                ErrorKind.TIMEOUT,
                user.end(lock)
                    ? "another client holds the lock"
                    : "the store has opened no session in time"));
    user.freeSession(
        turn,
        free -> {
          user.sessions.put(lock, free);
          free.lock()
              .acquire(
                  key,
                  Completion.of(
                      turn::answered, (kind, message) -> fail(turn, lock, kind, message)));
        });
  }

  /** Gives up after a failure, unless the user has given up before. */
  private static void fail(Turn turn, String lock, ErrorKind kind, String message) {
    turn.inLoop(
        () -> {
          if (!turn.ended() && turn.user.end(lock)) {
            turn.failed(kind, message);
          }
        });
  }

  static void register(Turn turn) {
    turn.endInTime("the store has not confirmed the registration");
    turn.user.registered(turn, session -> session.acquire(turn.key("key"), turn));
  }

  /** Releases a lock, or removes a registered key. */
  static void release(Turn turn) {
    StoreUser user = turn.user;
    turn.endInTime("the store has not confirmed the release");
    if (turn.has("key")) {
      user.registered(turn, session -> session.release(turn.key("key"), turn));
      return;
    }
    turn.key("lock");
    StoreSession held = user.sessions.remove(turn.text("lock"));
    if (held == null) {
      turn.failed(ErrorKind.MISSING, "the user does not hold this lock");
    } else if (held.lost().get()) {
      user.store.end(held);
      turn.failed(ErrorKind.MISSING, "the session of the lock has ended");
    } else {
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
}
