// SPDX-License-Identifier: Apache-2.0
package io.quorate.recipe;

import io.quorate.measure.WatchRecorder;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Session;
import java.util.function.Consumer;

/**
 * One request in which a client registers a service, as a key of its session, and removes it after
 * a time, or stops as if it had died.
 */
record Registration(
    SessionRecipes recipes, RecipeClient<Session> client, long index, Completion completion) {
  void begin() {
    WatchRecorder watchers = recipes.watchers();
    if (watchers != null) {
      watchers.sent(index, System.nanoTime());
    }
    client
        .session()
        .acquire(
            key(),
            completion(
                answer -> {
                  if (!(answer instanceof Answer.Written)) {
                    recipes.registered().free(client);
                    completion.answered(answer);
                    return;
                  }
                  if (watchers != null) {
                    watchers.acknowledged(index);
                  }
                  int number = client.holds(Answer.NO_REVISION, recipes.now());
                  recipes.later(recipes.plan().hold(), () -> end(recipes.plan().crashes(number)));
                }));
  }

  private void end(boolean crashes) {
    if (crashes) {
      client.session().abandon();
      recipes.registered().replace(client);
      completion.answered(Answer.WRITTEN);
    } else {
      client
          .session()
          .release(
              key(),
              completion(
                  answer -> {
                    recipes.registered().free(client);
                    completion.answered(answer);
                  }));
    }
  }

  private byte[] key() {
    return recipes.workload().keyOfRequest(index);
  }

  private Completion completion(Consumer<Answer> next) {
    return recipes.registered().completion(client, completion, next, () -> {});
  }
}
