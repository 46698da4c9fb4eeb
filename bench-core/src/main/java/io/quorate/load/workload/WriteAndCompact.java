package io.quorate.load.workload;

import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.ErrorKind;
import io.quorate.store.Request;

/**
 * Handles the end of a write behind which the history is forgotten, but for the latest revisions.
 *
 * @param kept how many revisions before that of the write are kept
 * @param whole is told how both have ended, once
 */
record WriteAndCompact(Connection connection, long kept, Completion whole) implements Completion {
  @Override
  public void sent(long sentNanos, long heldNanos) {
    whole.sent(sentNanos, heldNanos);
  }

  @Override
  public void answered(Answer answer) {
    if (answer instanceof Answer.Written written && written.revision() > kept) {
      connection.submit(new Request.Compact(written.revision() - kept), whole);
    } else {
      whole.answered(answer); // no history that is as long, or no such key
    }
  }

  @Override
  public void failed(ErrorKind kind, String message) {
    whole.failed(kind, message);
  }
}
