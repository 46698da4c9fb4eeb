package io.quorate.store.zookeeper;

import io.quorate.store.Subscriptions;
import io.quorate.store.Watch;
import io.quorate.store.WatchListener;
import io.quorate.store.WatchSupport;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.ZooKeeper;

/**
 * The watches of one session of ZooKeeper: one-shot watches that are set again for single keys, and
 * persistent recursive ones for all keys with a prefix. Watches of one node share a notification of
 * the server, which the client library hands to each. Listeners run on the event thread of the
 * session.
 */
final class ZooKeeperStream implements Subscriptions {
  private static final Executor SOON =
      CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS, Runnable::run);

  private final ZooKeeperSession session;
  private final NodeLayout layout;
  private final WatchSupport support;
  private volatile boolean closed;

  ZooKeeperStream(ZooKeeperSession session, NodeLayout layout, WatchSupport support) {
    this.session = session;
    this.layout = layout;
    this.support = support;
  }

  @Override
  public void watch(Watch watch, WatchListener listener) {
    support.require(watch);
    if (watch.prefix()) {
      new RecursiveWatch(this, watch, listener).start();
    } else {
      new OneShotWatch(this, watch.key(), layout.path(watch.key()), listener).start();
    }
  }

  /** Returns the handle for requests; null while there is no connection. */
  ZooKeeper handle() {
    return session.handle();
  }

  boolean isClosed() {
    return closed;
  }

  /** Runs a task after a short time, unless the stream is closed by then. */
  void soon(Runnable task) {
    SOON.execute(
        () -> {
          if (!closed) {
            task.run();
          }
        });
  }

  @Override
  public void close() {
    closed = true;
    session.close();
  }
}
