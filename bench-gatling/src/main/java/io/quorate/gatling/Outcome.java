// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import io.quorate.store.Answer;
import io.quorate.store.ErrorKind;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The end of an action, as checks see it.
 *
 * @param failure kind of the failure; empty for a success
 * @param message kind and reason of the failure; empty for a success
 * @param parts what is known, by the check that looks at it
 */
record Outcome(Optional<ErrorKind> failure, String message, Map<StoreCheck, Object> parts) {
  static Outcome failed(ErrorKind kind, String why) {
    String label = kind.label();
    return new Outcome(Optional.of(kind), label + ": " + why, new EnumMap<>(StoreCheck.class))
        .with(StoreCheck.OUTCOME, label);
  }

  private static Outcome success() {
    return new Outcome(Optional.empty(), "", new EnumMap<>(StoreCheck.class))
        .with(StoreCheck.OUTCOME, "ok");
  }

  static Outcome of(Answer answer) {
    if (answer instanceof Answer.Missing) {
      return failed(ErrorKind.MISSING, "no such key").with(StoreCheck.EXISTS, false);
    } else if (answer instanceof Answer.Conflict) {
      return failed(ErrorKind.CONFLICT, "another client was first");
    } else if (answer instanceof Answer.Found found) {
      return success()
          .with(StoreCheck.EXISTS, true)
          .value(found.value())
          .revision(found.revision());
    } else if (answer instanceof Answer.Entries all) {
      return all(all.count(), all.entries(), all.revision());
    }
    return answer instanceof Answer.Written written
        ? success().revision(written.revision())
        : success();
  }

  /** Returns the success of a read of several keys, or of a wait for changes. */
  static Outcome all(long count, List<Answer.Entry> entries, long revision) {
    List<String> keys = entries.stream().map(each -> StoreCheck.text(each.key())).toList();
    Outcome all = success().with(StoreCheck.COUNT, count).with(StoreCheck.KEYS, keys);
    if (!keys.isEmpty()) {
      all.with(StoreCheck.KEY, keys.get(0)).value(entries.get(0).value());
    }
    return all.with(StoreCheck.EXISTS, count > 0).revision(revision);
  }

  /** Returns the success of a wait whose last change is a removal. */
  static Outcome removal(byte[] key) {
    String removed = StoreCheck.text(key);
    return success()
        .with(StoreCheck.KEY, removed)
        .with(StoreCheck.KEYS, List.of(removed))
        .with(StoreCheck.EXISTS, false);
  }

  private Outcome value(byte[] bytes) {
    return with(StoreCheck.BYTES, bytes).with(StoreCheck.VALUE, StoreCheck.text(bytes));
  }

  private Outcome revision(long known) {
    return known == Answer.NO_REVISION ? this : with(StoreCheck.REVISION, known);
  }

  /** Returns whether a member has answered, with whatever outcome. */
  boolean isAnswered() {
    return failure.isEmpty()
        || failure.get() != ErrorKind.TIMEOUT && failure.get() != ErrorKind.CONNECTION;
  }

  /** Adds a part. */
  Outcome with(StoreCheck part, Object known) {
    parts.put(part, known);
    return this;
  }
}
