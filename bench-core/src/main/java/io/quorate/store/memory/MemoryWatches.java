package io.quorate.store.memory;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.quorate.store.Watch;
import io.quorate.store.WatchListener;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * The watches of one map. Any thread. A map without watches pays one read of a field for each
 * write.
 */
final class MemoryWatches {
  /** All watches; replaced when one comes or goes. */
  private volatile List<Started> all = List.of();

  private long writes;

  /**
   * A watch that was started.
   *
   * @param owner the stream of the watch
   * @param loop runs the listener
   */
  private record Started(Object owner, Watch watch, WatchListener listener, Executor loop) {}

  /** Adds a watch, whose listener is called on its loop. */
  synchronized void add(Object owner, Watch watch, WatchListener listener, Executor loop) {
    List<Started> more = new ArrayList<>(all);
    more.add(new Started(owner, watch, listener, loop));
    loop.execute(listener::started);
    all = List.copyOf(more);
  }

  /** Removes all watches of a stream. */
  synchronized void remove(Object owner) {
    all = all.stream().filter(started -> started.owner != owner).toList();
  }

  /**
   * Reports a write. Called in the order of the writes of a key.
   *
   * @param version of the key
   */
  void written(String name, byte[] value, long version) {
    if (!all.isEmpty()) {
      report(name.getBytes(ISO_8859_1), value.clone(), version);
    }
  }

  private synchronized void report(byte[] key, byte[] value, long version) {
    writes++;
    long revision = writes;
    for (Started each : all) {
      if (each.watch.covers(key)) {
        long told = each.watch.prefix() ? revision : version;
        try {
          each.loop.execute(() -> each.listener.changed(key, value, told));
        } catch (RejectedExecutionException ended) {
          // closed, with its stream
        }
      }
    }
  }
}
