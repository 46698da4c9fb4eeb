// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import io.quorate.DaemonThreads;
import io.quorate.scenario.WatchLoad;
import io.quorate.store.Subscriptions;
import io.quorate.store.WatchListener;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What Kubernetes API servers do with the watches of a step: they request progress, and end watches
 * and start them again, one after the other at a steady rate. Has one thread, until it is closed.
 */
final class WatchUpkeep implements AutoCloseable {
  private final ScheduledExecutorService clock = DaemonThreads.clock("watch-upkeep");

  private final List<Subscriptions> streams;
  private final List<? extends WatchListener> watchers;
  private final AtomicInteger restarted = new AtomicInteger();

  /** Begins; watcher {@code i} watches by stream {@code i} modulo their number. */
  WatchUpkeep(WatchLoad load, List<Subscriptions> streams, List<? extends WatchListener> watchers) {
    this.streams = streams;
    this.watchers = watchers;
    load.progressEvery()
        .ifPresent(every -> repeat(every, () -> streams.forEach(Subscriptions::requestProgress)));
    load.restartEvery()
        .ifPresent(every -> repeat(every.dividedBy(watchers.size()), this::restartNext));
  }

  private void repeat(Duration every, Runnable work) {
    clock.scheduleAtFixedRate(work, every.toNanos(), every.toNanos(), TimeUnit.NANOSECONDS);
  }

  private void restartNext() {
    int next = restarted.getAndIncrement() % watchers.size();
    streams.get(next % streams.size()).restart(watchers.get(next));
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }
}
