// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import io.quorate.load.InFlightRequest;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.ErrorKind;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Request;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;

/**
 * Changes a key as a Kubernetes API server does: with the last known revision, and if another
 * client has written the key meanwhile, again with the current revision, which the answer contains.
 * A key with an unknown revision is read first. Each value that is read is checked.
 *
 * @param change returns the request for a revision
 * @param changed receives the new revision; negative if the store does not report it
 * @param whole receives the result, once
 */
record OptimisticChange(
    Connection connection,
    byte[] key,
    LongFunction<Request> change,
    Function<byte[], ValueCheck> check,
    LongConsumer changed,
    Completion whole)
    implements Completion {
  void start(long revision) {
    connection.submit(
        revision == LastRevisions.UNKNOWN
            ? new Request.Get(key, ReadConsistency.LINEARIZABLE)
            : change.apply(revision),
        this);
  }

  @Override
  public void sent(long sentNanos, long heldNanos) {
    whole.sent(sentNanos, heldNanos);
  }

  @Override
  public void answered(Answer answer) {
    if (answer instanceof Answer.Found read) {
      again(read);
    } else if (answer instanceof Answer.Conflict conflict && conflict.current().isPresent()) {
      if (whole instanceof InFlightRequest attempt) {
        attempt.conflicted();
      }
      again(conflict.current().get());
    } else {
      if (answer instanceof Answer.Written written) {
        changed.accept(written.revision());
      }
      whole.answered(answer);
    }
  }

  private void again(Answer.Found current) {
    ValueCheck compared = check.apply(current.value());
    if (compared != ValueCheck.INTACT) {
      whole.failed(ErrorKind.CORRUPT, compared.message());
    } else if (current.revision() < 1) {
      whole.failed(ErrorKind.OTHER, "malformed response: no revision");
    } else {
      connection.submit(change.apply(current.revision()), this);
    }
  }

  @Override
  public void failed(ErrorKind kind, String message) {
    whole.failed(kind, message);
  }
}
