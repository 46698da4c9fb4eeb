package io.quorate.store.memory;

import io.netty.channel.EventLoop;
import io.quorate.store.Subscriptions;
import io.quorate.store.Watch;
import io.quorate.store.WatchListener;

/** Reports the writes of a map in this process, on an event loop, in a later turn. */
final class MemoryStream implements Subscriptions {
  private final MemoryWatches watches;
  private final EventLoop loop;

  MemoryStream(MemoryWatches watches, EventLoop loop) {
    this.watches = watches;
    this.loop = loop;
  }

  @Override
  public void watch(Watch watch, WatchListener listener) {
    watches.add(this, watch, listener, loop);
  }

  @Override
  public void close() {
    watches.remove(this);
  }
}
