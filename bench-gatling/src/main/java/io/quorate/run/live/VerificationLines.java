package io.quorate.run.live;

import io.quorate.load.verify.ReadBack;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Prints the progress of reading keys back, as often as that of the load. For one thread. */
public final class VerificationLines implements ReadBack.Progress {
  private final String database;
  private final Consumer<String> console;
  private final long intervalNanos =
      TimeUnit.SECONDS.toNanos(ProgressInterval.secondsBetweenProgressLines());
  private long lastLineNanos = System.nanoTime();

  public VerificationLines(String database, Consumer<String> console) {
    this.database = database;
    this.console = console;
  }

  @Override
  public void read(long read, long all) {
    if (System.nanoTime() - lastLineNanos >= intervalNanos) {
      lastLineNanos = System.nanoTime();
      console.accept(ProgressLine.ofPreparation(database, "reading keys back", read, all));
    }
  }
}
