// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.quorate.store.Subscriptions;
import io.quorate.store.Watch;
import io.quorate.store.WatchListener;
import io.quorate.store.WatchSupport;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.AsyncCallback.DataCallback;
import org.apache.zookeeper.AsyncCallback.VoidCallback;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/**
 * The watches of one session of ZooKeeper: one-shot watches that are set again for single keys, and
 * persistent recursive ones for all keys with a prefix. Watches of one node share a notification of
 * the server, which the client library passes to each. Listeners run on the event thread of the
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
      new RecursiveWatch(watch, listener).start();
    } else {
      new OneShotWatch(watch.key(), layout.path(watch.key()), listener).start();
    }
  }

  @Override
  public void close() {
    closed = true;
    session.close();
  }

  /** A watch of a node; if setting it fails, it is repeated after a short time. */
  private abstract class NodeWatch implements Watcher {
    final WatchListener listener;
    boolean started;

    NodeWatch(WatchListener listener) {
      this.listener = listener;
    }

    abstract void set(ZooKeeper handle);

    abstract void changed(WatchedEvent event);

    final void start() {
      ZooKeeper handle = session.handle();
      if (handle == null) {
        startSoon();
      } else {
        set(handle);
      }
    }

    final void startSoon() {
      SOON.execute(
          () -> {
            if (!closed) {
              start();
            }
          });
    }

    @Override
    public final void process(WatchedEvent event) {
      if (closed) {
        return;
      }
      if (event.getType() != Event.EventType.None) {
        changed(event);
      } else if (event.getState() == Event.KeeperState.Disconnected) {
        listener.interrupted("disconnected");
      } else if (event.getState() == Event.KeeperState.Expired) {
        startSoon();
      }
    }
  }

  /**
   * Watches one node: it reads the node, is notified of its next change, and reads it again. So
   * only the last change between a notification and the next read is reported. After an
   * interruption the client library sets the watch again, and the server notifies at once if the
   * node has changed meanwhile.
   */
  private final class OneShotWatch extends NodeWatch implements DataCallback {
    private final byte[] key;
    private final String path;
    private int version;

    OneShotWatch(byte[] key, String path, WatchListener listener) {
      super(listener);
      this.key = key;
      this.path = path;
    }

    @Override
    void set(ZooKeeper handle) {
      handle.getData(path, this, this, null);
    }

    @Override
    void changed(WatchedEvent event) {
      start();
    }

    @Override
    public void processResult(int number, String asked, Object context, byte[] data, Stat stat) {
      Code code = Code.get(number);
      if (closed) {
        return;
      }
      if (code == Code.OK) {
        read(data == null ? new byte[0] : data, stat.getVersion());
      } else if (code == Code.NONODE && !started) {
        listener.failed("there is no node " + path + " to watch");
      } else {
        startSoon();
      }
    }

    private void read(byte[] value, int present) {
      if (!started) {
        started = true;
        version = present;
        listener.started();
      } else if (present != version) {
        version = present;
        listener.changed(key, value, present);
      }
    }
  }

  /**
   * Watches all children of a node with a prefix, by a persistent recursive watch: each change has
   * a notification, with the node but not its value. The client library sets the watch again after
   * an interruption, but changes meanwhile are never reported.
   */
  private final class RecursiveWatch extends NodeWatch implements VoidCallback {
    private static final byte[] NO_VALUE = {};
    private final Watch watch;
    private final String node;

    RecursiveWatch(Watch watch, WatchListener listener) {
      super(listener);
      this.watch = watch;
      String prefix = "/" + new String(watch.key(), ISO_8859_1);
      this.node = prefix.substring(0, Math.max(1, prefix.lastIndexOf('/')));
    }

    @Override
    void set(ZooKeeper handle) {
      handle.addWatch(node, this, AddWatchMode.PERSISTENT_RECURSIVE, this, null);
    }

    @Override
    void changed(WatchedEvent event) {
      byte[] key = event.getPath().substring(1).getBytes(ISO_8859_1);
      boolean written =
          event.getType() == Event.EventType.NodeCreated
              || event.getType() == Event.EventType.NodeDataChanged;
      if (written && watch.covers(key)) {
        listener.changed(key, NO_VALUE, event.getZxid());
      } else if (event.getType() == Event.EventType.NodeDeleted && watch.covers(key)) {
        listener.removed(key);
      }
    }

    @Override
    public void processResult(int number, String path, Object context) {
      if (closed) {
        return;
      }
      Code code = Code.get(number);
      if (code == Code.OK && !started) {
        started = true;
        listener.started();
      } else if (code == Code.UNIMPLEMENTED) {
        listener.failed("the server has no persistent watches, which came with ZooKeeper 3.6");
      } else if (code != Code.OK) {
        startSoon();
      }
    }
  }
}
