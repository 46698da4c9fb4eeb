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
 * @param message why it failed
 * @param parts what is known, by the check that looks at it
 */
record Outcome(Optional<ErrorKind> failure, String message, Map<StoreCheck, Object> parts) {
  private Outcome(Optional<ErrorKind> failure, String message) {
    this(failure, message, new EnumMap<>(StoreCheck.class));
    parts.put(StoreCheck.OUTCOME, failure.map(ErrorKind::label).orElse("ok"));
  }

  static Outcome failed(ErrorKind kind, String message) {
    return new Outcome(Optional.of(kind), message);
  }

  static Outcome of(Answer answer) {
    if (answer instanceof Answer.Missing) {
      return failed(ErrorKind.MISSING, "no such key").with(StoreCheck.EXISTS, false);
    }
    if (answer instanceof Answer.Conflict) {
      return failed(ErrorKind.CONFLICT, "another client was first");
    }
    Outcome done = new Outcome(Optional.empty(), "").with(StoreCheck.EXISTS, true);
    if (answer instanceof Answer.Found found) {
      return done.value(found.value()).revision(found.revision());
    }
    if (answer instanceof Answer.Entries all) {
      return all(all.count(), all.entries(), all.revision());
    }
    return answer instanceof Answer.Written written ? done.revision(written.revision()) : done;
  }

  /** Returns the success of a read of several keys, or of a wait for changes. */
  static Outcome all(long count, List<Answer.Entry> entries, long revision) {
    Outcome all = new Outcome(Optional.empty(), "").with(StoreCheck.COUNT, count);
    List<String> keys = entries.stream().map(each -> StoreCheck.text(each.key())).toList();
    if (!keys.isEmpty()) {
      all.with(StoreCheck.KEY, keys.get(0)).value(entries.get(0).value());
    }
    return all.with(StoreCheck.EXISTS, count > 0).with(StoreCheck.KEYS, keys).revision(revision);
  }

  private Outcome value(byte[] bytes) {
    return with(StoreCheck.BYTES, bytes).with(StoreCheck.VALUE, StoreCheck.text(bytes));
  }

  private Outcome revision(long known) {
    return known == Answer.NO_REVISION ? this : with(StoreCheck.REVISION, known);
  }

  /** Adds a part. */
  Outcome with(StoreCheck part, Object known) {
    parts.put(part, known);
    return this;
  }
}
