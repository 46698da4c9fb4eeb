// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.ErrorKind;
import io.quorate.store.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A connection whose requests stay open until a test ends them, in their order. */
final class HeldRequests implements Connection {
  final List<Request> sent = new ArrayList<>();
  final List<Completion> open = new ArrayList<>();

  /** What the load was told: {@code answered}, {@code missing}, or the error with its message. */
  final List<String> outcomes = new CopyOnWriteArrayList<>();

  final Completion outcome =
      Completion.of(
          answer -> outcomes.add(answer instanceof Answer.Missing ? "missing" : "answered"),
          (kind, message) -> outcomes.add(kind.label() + ": " + message));

  @Override
  public void submit(Request request, Completion completion) {
    sent.add(request);
    open.add(completion);
  }

  void answer(Answer answer) {
    open.remove(0).answered(answer);
  }

  void fail(ErrorKind kind, String message) {
    open.remove(0).failed(kind, message);
  }

  @Override
  public void close() {}
}
