// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import io.quorate.load.InFlightRequest;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.ErrorKind;
import io.quorate.store.Request;
import java.util.function.Function;

/**
 * Reads a key, and writes it unless another client has written it meanwhile: once, or repeatedly
 * until that succeeds. Each value that is read is checked.
 *
 * @param check compares a read value with the values that were written to the key
 * @param whole receives the result, once
 */
record ReadModifyWrite(
    Connection connection,
    Request.Get read,
    byte[] value,
    Function<byte[], ValueCheck> check,
    Completion whole,
    boolean untilItSucceeds)
    implements Completion {
  void start() {
    connection.submit(read, this);
  }

  @Override
  public void sent(long sentNanos, long heldNanos) {
    whole.sent(sentNanos, heldNanos);
  }

  @Override
  public void answered(Answer answer) {
    if (!(answer instanceof Answer.Found found)) {
      whole.answered(answer);
      return;
    }
    ValueCheck compared = check.apply(found.value());
    if (compared != ValueCheck.INTACT) {
      whole.failed(ErrorKind.CORRUPT, compared.message());
    } else if (found.revision() == Answer.NO_REVISION) {
      whole.failed(ErrorKind.OTHER, "malformed response: no revision");
    } else {
      connection.submit(
          new Request.CompareAndSet(read.key(), value, found.revision()),
          untilItSucceeds ? new Write() : whole);
    }
  }

  @Override
  public void failed(ErrorKind kind, String message) {
    whole.failed(kind, message);
  }

  /** Completes the write, or starts again if another client has written meanwhile. */
  private final class Write implements Completion {
    @Override
    public void answered(Answer answer) {
      if (answer instanceof Answer.Conflict) {
        if (whole instanceof InFlightRequest attempt) {
          attempt.conflicted();
        }
        start();
      } else {
        whole.answered(answer);
      }
    }

    @Override
    public void failed(ErrorKind kind, String message) {
      whole.failed(kind, message);
    }
  }
}
