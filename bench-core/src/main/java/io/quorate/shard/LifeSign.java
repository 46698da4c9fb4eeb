package io.quorate.shard;

import io.quorate.QuorateException;
import io.quorate.scenario.Shard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Shows those who wait in a barrier that a shard still runs: writes a number that grows, every few
 * seconds, in a thread of its own.
 */
public final class LifeSign implements AutoCloseable {
  static final String FILE = "alive";

  private static final Duration BETWEEN = Duration.ofSeconds(5);

  private final Path directory;
  private final Barrier place;
  private final ScheduledExecutorService thread;
  private long number;

  private LifeSign(Path directory, Shard shard) {
    this.directory = directory;
    this.place = new Barrier(directory, shard, Duration.ZERO, said -> {});
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread made = new Thread(task, "life-sign");
              made.setDaemon(true);
              return made;
            });
  }

  /** Begins to show that a shard runs. */
  public static LifeSign show(Path barrier, Shard shard) {
    LifeSign sign = new LifeSign(barrier, shard);
    sign.thread.scheduleWithFixedDelay(sign::write, 0, BETWEEN.toMillis(), TimeUnit.MILLISECONDS);
    return sign;
  }

  private void write() {
    try {
      Files.createDirectories(directory);
      number++;
      place.publish(FILE, Long.toString(number));
    } catch (IOException | QuorateException impossible) {
      // next time, perhaps; whoever needs the directory says what is wrong with it
      return;
    }
  }

  /** Shows it no more. */
  @Override
  public void close() {
    thread.shutdownNow();
  }
}
