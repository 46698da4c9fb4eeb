// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import io.quorate.scenario.Scenario;
import io.quorate.scenario.WatchLoad;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.Request;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The puts before a load, to a separate key, that watchers of the past receive. Safe for several
 * threads.
 */
public final class WatchHistory implements RequestSource {
  private final KeySequence keys;
  private final ValueSource values;
  private final AtomicLong revision = new AtomicLong();

  /** Creates the puts of the first key, which no request uses. */
  WatchHistory(KeySequence keys, ValueSource values) {
    this.keys = keys;
    this.values = values;
  }

  /** Returns how many puts a scenario has before its load; 0 if its watchers have no past. */
  public static int count(Scenario scenario) {
    return scenario.databases().stream()
        .flatMap(load -> load.steps().stream())
        .flatMap(step -> step.watch().stream())
        .mapToInt(WatchLoad::history)
        .max()
        .orElse(0);
  }

  /** Sends a put, and remembers the revision of the first. */
  @Override
  public void send(Connection connection, long index, Completion completion) {
    connection.submit(
        Request.update(keys.at(0), values.at(index)),
        index > 0
            ? completion
            : completion.withAnswer(
                answer -> {
                  if (answer instanceof Answer.Written written) {
                    revision.set(written.revision());
                  }
                  completion.answered(answer);
                }));
  }

  /** Returns the watch of these puts, after they were written. */
  public WatchedKeys watched() {
    return new WatchedKeys(keys, 1, List.of(), values::numberOf, revision::get, Optional.empty());
  }
}
