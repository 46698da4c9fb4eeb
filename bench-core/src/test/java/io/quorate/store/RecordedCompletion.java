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
  private volatile String message = "";
  private volatile Answer answer;

  /** {@code written}, {@code found:VALUE}, {@code missing} or {@code failed:KIND}. */
  public String outcome() {
    try {
      return outcome.get(30, TimeUnit.SECONDS);
    } catch (Exception never) {
      throw new AssertionError("the request did not end within 30 s", never);
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
    told.incrementAndGet();
    outcome.complete(what);
  }
}
