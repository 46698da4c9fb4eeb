// SPDX-License-Identifier: Apache-2.0
package io.quorate.fault;

import io.quorate.results.WatchedWrite;
import io.quorate.store.WatchListener;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** A key that is watched: its writes, and what each watch reported of them. Safe for threads. */
final class WatchedKey {
  private static final long LOOK_MILLIS = 50;

  private final int index;
  private final byte[] key;
  private final boolean everyChange;
  private final List<Write> writes = new ArrayList<>();
  private final List<Seen> watches = new ArrayList<>();

  /** Number of the last write that was acknowledged; 0 before the first. */
  private long lastWritten;

  WatchedKey(int index, byte[] key, boolean everyChange) {
    this.index = index;
    this.everyChange = everyChange;
    this.key = key;
  }

  private static final class Write {
    private final long sentNanos;
    private OptionalLong acknowledgedNanos = OptionalLong.empty();
    private boolean refused;
    private int received;
    private int passed;
    private int repeated;
    private int reordered;
    private OptionalLong lastNanos = OptionalLong.empty();

    Write(long sentNanos) {
      this.sentNanos = sentNanos;
    }
  }

  /** The numbers that a watch has reported. */
  private static final class Seen {
    private final BitSet numbers = new BitSet();
    private long highest;
  }

  byte[] key() {
    return key;
  }

  synchronized boolean isWatched() {
    return !watches.isEmpty();
  }

  /** Returns the number of a new write. */
  synchronized long begins(long sentNanos) {
    writes.add(new Write(sentNanos));
    return writes.size();
  }

  /**
   * Notes the outcome of a write.
   *
   * @param refused whether it certainly was not carried out
   */
  synchronized void ended(long number, OptionalLong acknowledgedNanos, boolean refused) {
    Write write = write(number);
    write.acknowledgedNanos = acknowledgedNanos;
    write.refused = refused;
    if (acknowledgedNanos.isPresent()) {
      lastWritten = number;
    }
  }

  private Write write(long number) {
    return writes.get((int) number - 1);
  }

  /** Adds a watch, whose events its listener counts. */
  synchronized WatchListener watch(Runnable started, LongSupplier now) {
    Seen seen = new Seen();
    watches.add(seen);
    return new WatchListener() {
      @Override
      public void started() {
        started.run();
      }

      @Override
      public void changed(byte[] changed, byte[] value, long revision) {
        reported(seen, Long.parseLong(new String(value, StandardCharsets.US_ASCII)), now);
      }

      @Override
      public void interrupted(String why) {
        // the events show what that costs
      }

      @Override
      public void failed(String why) {
        // its events are missing
      }
    };
  }

  private synchronized void reported(Seen seen, long number, LongSupplier now) {
    if (number == 0) {
      return; // the creation
    }
    Write write = write(number);
    if (seen.numbers.get((int) number)) {
      write.repeated++;
      return;
    }
    seen.numbers.set((int) number);
    OptionalLong nanos = OptionalLong.of(now.getAsLong());
    write.received++;
    write.lastNanos = nanos;
    if (number < seen.highest) {
      write.reordered++;
      write.passed--;
      return;
    }
    for (long between = seen.highest + 1; between < number; between++) {
      Write skipped = write(between);
      skipped.passed++;
      skipped.lastNanos = nanos;
    }
    seen.highest = number;
    notifyAll();
  }

  /** Waits until each watch has reported the last acknowledged write or a later one. */
  synchronized void awaitLast(long deadlineNanos, BooleanSupplier cancelled) {
    try {
      while (watches.stream().anyMatch(each -> each.highest < lastWritten)
          && !cancelled.getAsBoolean()
          && System.nanoTime() - deadlineNanos < 0) {
        TimeUnit.MILLISECONDS.timedWait(this, LOOK_MILLIS);
      }
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns all writes that were or may have been carried out. */
  synchronized List<WatchedWrite> writes() {
    List<WatchedWrite> all = new ArrayList<>();
    for (int number = 1; number <= writes.size(); number++) {
      Write write = write(number);
      if (!write.refused) {
        all.add(record(number, write));
      }
    }
    return all;
  }

  private WatchedWrite record(int number, Write write) {
    return new WatchedWrite(
        index,
        number,
        write.sentNanos,
        write.acknowledgedNanos,
        everyChange,
        watches.size(),
        write.received,
        write.passed,
        write.repeated,
        write.reordered,
        write.lastNanos);
  }
}
