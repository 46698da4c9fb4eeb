// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Keeps the first outcome as one word, and counts how often it was told. */
public final class RecordedCompletion implements Completion {
  private final CompletableFuture<String> outcome = new CompletableFuture<>();
  private final AtomicInteger told = new AtomicInteger();
  private final AtomicInteger timesSent = new AtomicInteger();
  private volatile long sentNanos;
  private volatile long endNanos;
  private volatile String message = "";
  private volatile Answer answer;

  /** {@code written}, {@code found:VALUE}, {@code missing} or {@code failed:KIND}. */
  public String outcome() {
    try {
      return outcome.get(90, TimeUnit.SECONDS);
    } catch (Exception never) {
      throw new AssertionError("the request did not end within 90 s", never);
    }
  }

  /** The answer of a request that has ended with one. */
  public Answer answer() {
    outcome();
    return answer;
  }

  public String message() {
    return message;
  }

  /** How often it was told that the request was sent. */
  public int timesSent() {
    return timesSent.get();
  }

  /** When the request was sent, on the nano clock. */
  public long sentNanos() {
    return sentNanos;
  }

  /** When the first outcome was told, on the nano clock. */
  public long endNanos() {
    outcome();
    return endNanos;
  }

  @Override
  public void sent(long nanos, long heldNanos) {
    timesSent.incrementAndGet();
    sentNanos = nanos;
  }

  public int timesTold() {
    return told.get();
  }

  @Override
  public void answered(Answer answer) {
    this.answer = answer;
    if (answer instanceof Answer.Found found) {
      tell("found:" + new String(found.value(), UTF_8));
    } else if (answer instanceof Answer.Entries entries) {
      tell("entries:" + entries.count());
    } else {
      tell(answer.getClass().getSimpleName().toLowerCase(Locale.ROOT));
    }
  }

  @Override
  public void failed(ErrorKind kind, String message) {
    this.message = message;
    tell("failed:" + kind);
  }

  private void tell(String what) {
    if (told.incrementAndGet() == 1) {
      endNanos = System.nanoTime();
    }
    outcome.complete(what);
  }
}
