// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.ErrorKind;
import io.quorate.store.Request;

/** Ends a compaction: if a later revision is already compacted, it counts as a success. */
record Compaction(Completion completion) implements Completion {
  static final String DONE = "required revision has been compacted";

  /** Returns the completion of a request, which accepts a later compaction as success. */
  static Completion outcome(Request asked, Completion completion) {
    return asked instanceof Request.Compact ? new Compaction(completion) : completion;
  }

  @Override
  public void sent(long sentNanos, long heldNanos) {
    completion.sent(sentNanos, heldNanos);
  }

  @Override
  public void answered(Answer answer) {
    completion.answered(answer);
  }

  @Override
  public void failed(ErrorKind kind, String message) {
    if (message.endsWith(DONE)) {
      completion.answered(Answer.WRITTEN);
    } else {
      completion.failed(kind, message);
    }
  }
}
