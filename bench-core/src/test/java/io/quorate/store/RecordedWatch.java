package io.quorate.store;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Keeps what a watch reports. */
final class RecordedWatch implements WatchListener {
  private final AtomicInteger started = new AtomicInteger();
  private final AtomicInteger interrupted = new AtomicInteger();
  private final List<String> keys = new CopyOnWriteArrayList<>();
  private final List<String> values = new CopyOnWriteArrayList<>();
  private final List<Long> revisions = new CopyOnWriteArrayList<>();
  private final List<String> failures = new CopyOnWriteArrayList<>();

  @Override
  public void started() {
    started.incrementAndGet();
  }

  @Override
  public void changed(byte[] key, byte[] value, long revision) {
    keys.add(new String(key, StandardCharsets.UTF_8));
    values.add(new String(value, StandardCharsets.UTF_8));
    revisions.add(revision);
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
    return List.copyOf(keys);
  }

  List<String> values() {
    return List.copyOf(values);
  }

  List<Long> revisions() {
    return List.copyOf(revisions);
  }
}
