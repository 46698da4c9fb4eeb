package io.quorate.store.zookeeper;

import io.quorate.store.WatchListener;
import org.apache.zookeeper.AsyncCallback.DataCallback;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/**
 * Watches one node: reads it, and is notified of its next change, whereupon it reads it again. So
 * what is reported is the state that was read, and of changes between a notification and its read
 * the last one only. After a cut the client library sets the watch again, and the server notifies
 * at once if the node has changed meanwhile.
 */
final class OneShotWatch implements Watcher, DataCallback {
  private final ZooKeeperStream stream;
  private final byte[] key;
  private final String path;
  private final WatchListener listener;
  private boolean started;
  private int version;

  OneShotWatch(ZooKeeperStream stream, byte[] key, String path, WatchListener listener) {
    this.stream = stream;
    this.key = key;
    this.path = path;
    this.listener = listener;
  }

  /** Reads the node and sets the watch. */
  void start() {
    ZooKeeper handle = stream.handle();
    if (handle == null) {
      stream.soon(this::start);
    } else {
      handle.getData(path, this, this, null);
    }
  }

  @Override
  public void processResult(int number, String asked, Object context, byte[] data, Stat stat) {
    Code code = Code.get(number);
    if (stream.isClosed()) {
      return;
    }
    if (code == Code.OK) {
      read(data == null ? new byte[0] : data, stat.getVersion());
    } else if (code == Code.NONODE && !started) {
      listener.failed("there is no node " + path + " to watch");
    } else {
      stream.soon(this::start);
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
    if (stream.isClosed()) {
      return;
    }
    if (event.getType() != Event.EventType.None) {
      start();
    } else if (event.getState() == Event.KeeperState.Disconnected) {
      listener.interrupted("disconnected");
    } else if (event.getState() == Event.KeeperState.Expired) {
      stream.soon(this::start);
    }
  }
}
