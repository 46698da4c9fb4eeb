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
      new RecursiveWatch(watch, listener).start();
    } else {
      new OneShotWatch(watch.key(), layout.path(watch.key()), listener).start();
    }
  }

  /** Runs a task after a short time, unless the stream is closed by then. */
  private void soon(Runnable task) {
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

  /**
   * Watches one node: reads it, and is notified of its next change, whereupon it reads it again. So
   * what is reported is the state that was read, and of changes between a notification and its read
   * the last one only. After a cut the client library sets the watch again, and the server notifies
   * at once if the node has changed meanwhile.
   */
  private final class OneShotWatch implements Watcher, DataCallback {
    private final byte[] key;
    private final String path;
    private final WatchListener listener;
    private boolean started;
    private int version;

    OneShotWatch(byte[] key, String path, WatchListener listener) {
      this.key = key;
      this.path = path;
      this.listener = listener;
    }

    void start() {
      ZooKeeper handle = session.handle();
      if (handle == null) {
        soon(this::start);
      } else {
        handle.getData(path, this, this, null);
      }
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
        soon(this::start);
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

    @Override
    public void process(WatchedEvent event) {
      if (closed) {
        return;
      }
      if (event.getType() != Event.EventType.None) {
        start();
      } else if (event.getState() == Event.KeeperState.Disconnected) {
        listener.interrupted("disconnected");
      } else if (event.getState() == Event.KeeperState.Expired) {
        soon(this::start);
      }
    }
  }

  /**
   * Watches all children of a node with a prefix, by a persistent recursive watch: a notification
   * for each change, with the node but not its value. The client library sets it again after a cut,
   * but what has changed meanwhile is never told.
   */
  private final class RecursiveWatch implements Watcher, VoidCallback {
    private static final char SLASH = '/';
    private static final byte[] NO_VALUE = {};

    private final Watch watch;
    private final WatchListener listener;
    private final String node;
    private boolean started;

    RecursiveWatch(Watch watch, WatchListener listener) {
      this.watch = watch;
      this.listener = listener;
      String prefix = SLASH + new String(watch.key(), ISO_8859_1);
      this.node = prefix.substring(0, Math.max(1, prefix.lastIndexOf(SLASH)));
    }

    void start() {
      ZooKeeper handle = session.handle();
      if (handle == null) {
        soon(this::start);
      } else {
        handle.addWatch(node, this, AddWatchMode.PERSISTENT_RECURSIVE, this, null);
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
        soon(this::start);
      }
    }

    @Override
    public void process(WatchedEvent event) {
      if (closed) {
        return;
      }
      switch (event.getType()) {
        case NodeCreated, NodeDataChanged -> changed(event);
        case None -> connection(event.getState());
        default -> {}
      }
    }

    private void changed(WatchedEvent event) {
      byte[] key = event.getPath().substring(1).getBytes(ISO_8859_1);
      if (watch.covers(key)) {
        listener.changed(key, NO_VALUE, event.getZxid());
      }
    }

    private void connection(Event.KeeperState state) {
      if (state == Event.KeeperState.Disconnected) {
        listener.interrupted("disconnected");
      } else if (state == Event.KeeperState.Expired) {
        soon(this::start);
      }
    }
  }
}
