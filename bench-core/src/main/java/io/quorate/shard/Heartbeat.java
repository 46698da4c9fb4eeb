// SPDX-License-Identifier: Apache-2.0
package io.quorate.shard;

import io.quorate.DaemonThreads;
import io.quorate.QuorateException;
import io.quorate.scenario.Shard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/**
 * Shows the shards in a barrier that this shard still runs: a separate thread writes a growing
 * number every few seconds.
 */
public final class Heartbeat implements AutoCloseable {
  static final String FILE = "alive";

  private static final Duration BETWEEN = Duration.ofSeconds(5);

  private final Path directory;
  private final Barrier place;
  private final ScheduledExecutorService thread;
  private long number;

  public Heartbeat(Path directory, Shard shard) {
    this.directory = directory;
    this.place = new Barrier(directory, shard, Duration.ZERO, said -> {});
    this.thread = DaemonThreads.clock("life-sign");
    thread.scheduleWithFixedDelay(this::write, 0, BETWEEN.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void write() {
    try {
      Files.createDirectories(directory);
      number++;
      place.publish(FILE, Long.toString(number));
    } catch (IOException | QuorateException impossible) {
      // the next attempt may succeed; other uses of the directory report the problem
      return;
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }

  /**
   * Detects shards that have ended without a message: their {@link Heartbeat} has not changed for a
   * minute, by the local clock. Shards without a first heartbeat are ignored. For one thread.
   */
  static final class SilentShards {
    static final Duration LIMIT = Duration.ofMinutes(1);
    static final String REASON =
        "no sign of life for %d s: its processes were killed, or its machine was lost"
            .formatted(LIMIT.toSeconds());

    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private record Sign(String text, long sinceNanos) {}

    private final Map<Integer, Sign> signs = new HashMap<>();
    private List<Integer> silent = List.of();
    private Optional<Long> lookedNanos = Optional.empty();

    /**
     * Checks the heartbeats at most once a second, and returns the silent shards.
     *
     * @param signOf returns the current heartbeat of a shard; empty if it has none, or has ended
     */
    List<Integer> look(int count, IntFunction<Optional<String>> signOf, long nowNanos) {
      if (lookedNanos.filter(last -> nowNanos - last < LOOK_NANOS).isPresent()) {
        return silent;
      }
      lookedNanos = Optional.of(nowNanos);
      List<Integer> found = new ArrayList<>();
      for (int number = 1; number <= count; number++) {
        Optional<String> now = signOf.apply(number);
        if (now.isEmpty()) {
          signs.remove(number);
        } else if (!signs.containsKey(number) || !signs.get(number).text().equals(now.get())) {
          signs.put(number, new Sign(now.get(), nowNanos));
        } else if (nowNanos - signs.get(number).sinceNanos() >= LIMIT.toNanos()) {
          found.add(number);
        }
      }
      silent = List.copyOf(found);
      return silent;
    }
  }
}
