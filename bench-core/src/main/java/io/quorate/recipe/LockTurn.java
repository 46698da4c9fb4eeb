// SPDX-License-Identifier: Apache-2.0
package io.quorate.recipe;

import io.quorate.measure.WatchRecorder;
import io.quorate.results.LockRecord;
import io.quorate.scenario.OperationMix;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.ErrorKind;
import io.quorate.store.LockClient;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One request in which a client takes a lock, holds it and releases it. In an election, the holder
 * of the lock is the leader, which writes the watched key.
 */
record LockTurn(
    SessionRecipes recipes,
    RecipeClient<LockClient> client,
    boolean election,
    long index,
    Connection connection,
    Completion completion) {
  private OperationMix.Sessions plan() {
    return recipes.plan();
  }

  private LockClient session() {
    return client.session();
  }

  void begin() {
    client.requests(recipes.now());
    session()
        .acquire(
            recipes.workload().keyOfRequest(index),
            completion(
                answer ->
                    held(
                        answer instanceof Answer.Written lock
                            ? lock.revision()
                            : Answer.NO_REVISION),
                () -> {}));
  }

  private void held(long token) {
    int number = client.holds(token, recipes.now());
    if (election) {
      announce(() -> hold(number));
    } else {
      hold(number);
    }
  }

  /** Tells the watchers; their time runs from the end of the previous leader. */
  private void announce(Runnable next) {
    WatchRecorder watchers = recipes.watchers();
    long leaderlessNanos = recipes.leaderlessNanos();
    if (watchers != null) {
      watchers.sent(index, leaderlessNanos == 0 ? System.nanoTime() : leaderlessNanos);
    }
    connection.submit(
        recipes.workload().put(index),
        completion(
            answer -> {
              if (watchers != null) {
                watchers.acknowledged(index);
              }
              next.run();
            },
            this::recordFailure));
  }

  private void hold(int number) {
    if (plan().pauses(number)) {
      client.pauses();
      recipes.leaderless(System.nanoTime());
      session().abandon();
      recipes.later(plan().pause(), this::wake);
    } else {
      recipes.later(plan().hold(), () -> end(plan().crashes(number)));
    }
  }

  private void end(boolean crashes) {
    recipes.leaderless(System.nanoTime());
    if (crashes) {
      session().abandon();
      record(recipes.now(), Optional.of(LockRecord.End.CRASHED));
      recipes.lockHolders().replace(client);
      completion.answered(Answer.WRITTEN);
    } else {
      long nanos = recipes.now();
      session()
          .release(
              completion(answer -> released(nanos, answer), () -> record(nanos, Optional.empty())));
    }
  }

  private void released(long nanos, Answer answer) {
    LockRecord held = record(nanos, Optional.empty());
    recipes.lockHolders().free(client);
    if (held.lost() || answer instanceof Answer.Missing) {
      completion.failed(ErrorKind.MISSING, "the session ended while the client held the lock");
    } else {
      completion.answered(Answer.WRITTEN);
    }
  }

  /** Ends a pause: until now the client believes that it holds the lock. */
  private void wake() {
    record(recipes.now(), Optional.of(LockRecord.End.PAUSED));
    recipes.lockHolders().replace(client);
    completion.failed(ErrorKind.MISSING, "the session ended while the client was paused");
  }

  /** Records a leader whose announcement failed: it gives up. */
  private void recordFailure() {
    recipes.leaderless(System.nanoTime());
    record(recipes.now(), Optional.empty());
  }

  private LockRecord record(long nanos, Optional<LockRecord.End> injected) {
    int lock = (int) recipes.workload().keyNumber(index);
    LockRecord held = client.ends(lock, nanos, session().requests(), injected);
    recipes.add(held);
    return held;
  }

  private Completion completion(Consumer<Answer> next, Runnable failure) {
    return recipes.lockHolders().completion(client, completion, next, failure);
  }
}
