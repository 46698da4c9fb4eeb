package io.quorate.install;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Prints the progress of an installation again and again, until it is closed. */
final class InstallProgress implements AutoCloseable {
  private final ScheduledExecutorService timer;

  private InstallProgress(ScheduledExecutorService timer) {
    this.timer = timer;
  }

  /** Returns the interval between lines: a second on a terminal, longer elsewhere. */
  static Duration interval(boolean terminal) {
    return terminal ? Duration.ofSeconds(1) : Duration.ofSeconds(10);
  }

  static InstallProgress every(Duration interval, PrintWriter out, Supplier<String> line) {
    ScheduledExecutorService timer =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "quorate-progress");
              thread.setDaemon(true);
              return thread;
            });
    timer.scheduleAtFixedRate(
        () -> {
          out.println(line.get());
          out.flush();
        },
        interval.toNanos(),
        interval.toNanos(),
        TimeUnit.NANOSECONDS);
    return new InstallProgress(timer);
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
