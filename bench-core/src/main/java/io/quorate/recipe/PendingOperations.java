// SPDX-License-Identifier: Apache-2.0
package io.quorate.recipe;

import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.ErrorKind;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The operations that have begun and have not ended. Each ends once, even if a client waits for a
 * store that never answers. Safe for several threads.
 */
final class PendingOperations {
  private final Set<Pending> open = ConcurrentHashMap.newKeySet();

  /** Returns a completion that passes the first outcome on, and ignores others. */
  Completion add(Completion whole) {
    Pending pending = new Pending(whole);
    open.add(pending);
    return pending;
  }

  /** Ends all operations. */
  void failAll(String why) {
    open.forEach(each -> each.failed(ErrorKind.CONNECTION, why));
  }

  private final class Pending implements Completion {
    private final Completion whole;

    Pending(Completion whole) {
      this.whole = whole;
    }

    @Override
    public void sent(long sentNanos, long heldNanos) {
      whole.sent(sentNanos, heldNanos);
    }

    @Override
    public void answered(Answer answer) {
      if (open.remove(this)) {
        whole.answered(answer);
      }
    }

    @Override
    public void failed(ErrorKind kind, String message) {
      if (open.remove(this)) {
        whole.failed(kind, message);
      }
    }
  }
}
