package io.quorate.load.verify;

import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.ErrorKind;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Request;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/** Asks a store how many keys begin with a prefix. */
final class KeyCount implements Completion {
  private final CompletableFuture<OptionalLong> count = new CompletableFuture<>();

  private KeyCount() {}

  /** Returns the count; empty if there is no prefix or no answer. */
  static OptionalLong of(Connection connection, byte[] prefix) {
    if (prefix.length == 0) {
      return OptionalLong.empty();
    }
    KeyCount asked = new KeyCount();
    connection.submit(new Request.Range(prefix, 0, true, ReadConsistency.LINEARIZABLE), asked);
    return asked.count.join();
  }

  @Override
  public void answered(Answer answer) {
    count.complete(
        answer instanceof Answer.Entries entries
            ? OptionalLong.of(entries.count())
            : OptionalLong.empty());
  }

  @Override
  public void failed(ErrorKind kind, String message) {
    count.complete(OptionalLong.empty());
  }
}
