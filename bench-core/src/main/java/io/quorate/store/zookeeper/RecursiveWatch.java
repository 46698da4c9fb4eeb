package io.quorate.store.zookeeper;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.quorate.store.Watch;
import io.quorate.store.WatchListener;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.AsyncCallback.VoidCallback;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;

/**
 * Watches all children of a node with a prefix, by a persistent recursive watch: a notification for
 * each change, with the node but not its value. The client library sets it again after a cut, but
 * what has changed meanwhile is never told.
 */
final class RecursiveWatch implements Watcher, VoidCallback {
  private static final char SLASH = '/';
  private static final byte[] NO_VALUE = {};

  private final ZooKeeperStream stream;
  private final Watch watch;
  private final WatchListener listener;
  private final String node;
  private boolean started;

  RecursiveWatch(ZooKeeperStream stream, Watch watch, WatchListener listener) {
    this.stream = stream;
    this.watch = watch;
    this.listener = listener;
    String prefix = SLASH + new String(watch.key(), ISO_8859_1);
    this.node = prefix.substring(0, Math.max(1, prefix.lastIndexOf(SLASH)));
  }

  /** Sets the watch. */
  void start() {
    ZooKeeper handle = stream.handle();
    if (handle == null) {
      stream.soon(this::start);
    } else {
      handle.addWatch(node, this, AddWatchMode.PERSISTENT_RECURSIVE, this, null);
    }
  }

  @Override
  public void processResult(int number, String path, Object context) {
    if (stream.isClosed()) {
      return;
    }
    Code code = Code.get(number);
    if (code == Code.OK && !started) {
      started = true;
      listener.started();
    } else if (code == Code.UNIMPLEMENTED) {
      listener.failed("the server has no persistent watches, which came with ZooKeeper 3.6");
    } else if (code != Code.OK) {
      stream.soon(this::start);
    }
  }

  @Override
  public void process(WatchedEvent event) {
    if (stream.isClosed()) {
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
      stream.soon(this::start);
    }
  }
}
