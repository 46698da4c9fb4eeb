package io.quorate.agent.server;

import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Logs who was refused and why, and only counts refusals when they are frequent. Safe for several
 * threads.
 */
public final class RefusalLog implements Consumer<String> {
  private static final int PER_MINUTE = 30;
  private static final long MINUTE_NANOS = 60_000_000_000L;

  private final Consumer<String> console;
  private final LongSupplier nanoTime;
  private long minuteBeganNanos;
  private int said;
  private long unsaid;

  public RefusalLog(Consumer<String> console, LongSupplier nanoTime) {
    this.console = console;
    this.nanoTime = nanoTime;
    this.minuteBeganNanos = nanoTime.getAsLong();
  }

  @Override
  public synchronized void accept(String who) {
    long now = nanoTime.getAsLong();
    if (now - minuteBeganNanos > MINUTE_NANOS) {
      minuteBeganNanos = now;
      said = 0;
      if (unsaid > 0) {
        console.accept("refused " + unsaid + " more");
        unsaid = 0;
      }
    }
    if (said < PER_MINUTE) {
      said++;
      console.accept("refused " + who);
    } else {
      unsaid++;
    }
  }
}
