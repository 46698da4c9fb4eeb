// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Keeps what a watch reports. */
final class RecordedWatch implements WatchListener {
  private final AtomicInteger started = new AtomicInteger();
  private final AtomicInteger interrupted = new AtomicInteger();

  /** In one list, so that whoever sees a value also sees its revision. */
  private final List<Change> changes = new CopyOnWriteArrayList<>();

  private final List<Long> progress = new CopyOnWriteArrayList<>();

  private final List<String> failures = new CopyOnWriteArrayList<>();

  private record Change(String key, String value, long revision) {}

  @Override
  public void started() {
    started.incrementAndGet();
  }

  @Override
  public void changed(byte[] key, byte[] value, long revision) {
    changes.add(
        new Change(
            new String(key, StandardCharsets.UTF_8),
            new String(value, StandardCharsets.UTF_8),
            revision));
  }

  @Override
  public void progressed(long revision) {
    progress.add(revision);
  }

  @Override
  public void interrupted(String why) {
    interrupted.incrementAndGet();
  }

  @Override
  public void failed(String why) {
    failures.add(why);
  }

  int timesStarted() {
    return started.get();
  }

  int timesInterrupted() {
    return interrupted.get();
  }

  List<String> keys() {
    return changes.stream().map(Change::key).toList();
  }

  List<String> values() {
    return changes.stream().map(Change::value).toList();
  }

  List<Long> progress() {
    return List.copyOf(progress);
  }

  List<Long> revisions() {
    return changes.stream().map(Change::revision).toList();
  }
}
