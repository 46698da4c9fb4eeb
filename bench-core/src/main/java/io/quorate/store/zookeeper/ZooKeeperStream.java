// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.quorate.store.Subscriptions;
import io.quorate.store.Watch;
import io.quorate.store.WatchListener;
import io.quorate.store.WatchSupport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.data.Stat;
import org.apache.zookeeper.proto.AddWatchRequest;
import org.apache.zookeeper.proto.GetDataRequest;
import org.apache.zookeeper.proto.RemoveWatchesRequest;
import org.jspecify.annotations.Nullable;

/**
 * The watches of one session of ZooKeeper: one-shot watches that are set again for single keys, and
 * persistent recursive ones for all keys with a prefix. Watches of one node share a notification of
 * the server, which is passed to each. Everything except {@link #watch} and {@link #close} happens
 * on the event loop of the connection.
 */
final class ZooKeeperStream implements Subscriptions, ZooKeeperConnection.Listener {
  private static final long AGAIN_MILLIS = 100;

  private final NodeLayout layout;
  private final WatchSupport support;
  private final List<NodeWatch> watches = new ArrayList<>();
  private final List<RecursiveWatch> recursive = new ArrayList<>();

  /** The one-shot watches that the server has, by node. */
  private final Map<String, Set<OneShotWatch>> oneShot = new HashMap<>();

  /** The connection; null before the beginning. */
  private @Nullable ZooKeeperConnection connection;

  private volatile boolean closed;

  ZooKeeperStream(NodeLayout layout, WatchSupport support) {
    this.layout = layout;
    this.support = support;
  }

  /** Sets the connection, before the first watch. */
  void begin(ZooKeeperConnection opened) {
    connection = opened;
  }

  private ZooKeeperConnection connection() {
    return Objects.requireNonNull(connection);
  }

  @Override
  public void watch(Watch watch, WatchListener listener) {
    support.require(watch);
    connection()
        .onLoop(
            () -> {
              NodeWatch begun = begin(watch, listener);
              watches.add(begun);
              begun.set();
            });
  }

  @Override
  public void unwatch(WatchListener listener) {
    connection()
        .onLoop(
            () ->
                watches.stream()
                    .filter(each -> each.listener == listener)
                    .findFirst()
                    .ifPresent(this::end));
  }

  private void end(NodeWatch ended) {
    watches.remove(ended);
    recursive.remove(ended);
    oneShot.getOrDefault(ended.node, new HashSet<>()).remove(ended);
    ended.ended = true;
    removeUnused(ended.node);
  }

  /**
   * Removes the watches of a node from the server, after the last one has ended: for a server, that
   * is one request for watches of both kinds.
   */
  private void removeUnused(String node) {
    if (watches.stream().noneMatch(other -> other.node.equals(node))) {
      oneShot.remove(node);
      var removal = new RemoveWatchesRequest(node, Watcher.WatcherType.Any.getIntValue());
      connection().send(new ZooKeeperCall(OpCode.removeWatches, removal, any -> {}));
    }
  }

  private NodeWatch begin(Watch watch, WatchListener listener) {
    if (!watch.prefix()) {
      return new OneShotWatch(watch.key(), layout.path(watch.key()), listener);
    }
    RecursiveWatch begun = new RecursiveWatch(watch, listener);
    recursive.add(begun);
    return begun;
  }

  @Override
  public void close() {
    closed = true;
    connection().close();
  }

  /** Sets all watches again: the server forgets them with a connection. */
  @Override
  public void connected() {
    watches.forEach(NodeWatch::set);
  }

  @Override
  public void disconnected(String why) {
    oneShot.clear();
    if (!closed) {
      watches.stream().filter(each -> each.started).forEach(each -> each.listener.interrupted(why));
    }
  }

  @Override
  public void event(EventType type, String path, long zxid) {
    if (closed) {
      return;
    }
    Set<OneShotWatch> fired = oneShot.remove(path);
    if (fired != null) {
      fired.forEach(NodeWatch::set);
    }
    for (RecursiveWatch each : recursive) {
      each.changed(type, path, zxid);
    }
  }

  /** A watch of a node; if setting it fails, it is repeated after a short time. */
  private abstract class NodeWatch {
    final WatchListener listener;

    /** The node of the server's watch. */
    final String node;

    boolean started;

    boolean ended;

    NodeWatch(String node, WatchListener listener) {
      this.node = node;
      this.listener = listener;
    }

    abstract void set();

    /** Returns whether it has ended before it was set, and ends it at the server as well. */
    final boolean isOver(ZooKeeperReply reply) {
      if (ended && !closed && reply.isOk()) {
        removeUnused(node);
      }
      return closed || ended;
    }

    /** Ends a watch that the server refuses. */
    final void refused(String why) {
      ended = true;
      watches.remove(this);
      recursive.remove(this);
      listener.failed(why);
    }

    /** Sets the watch again; without a connection, the next one does that. */
    final void setSoon(ZooKeeperReply failure) {
      if (!failure.is(Code.CONNECTIONLOSS)) {
        connection()
            .loop()
            .schedule(
                () -> {
                  if (!closed && !ended) {
                    set();
                  }
                },
                AGAIN_MILLIS,
                TimeUnit.MILLISECONDS);
      }
    }
  }

  /**
   * Watches one node: it reads the node, is notified of its next change, and reads it again. So
   * only the last change between a notification and the next read is reported. After an
   * interruption it reads the node, too.
   */
  private final class OneShotWatch extends NodeWatch {
    private final byte[] key;

    /** Transaction of the last change, which also differs if the node was created again. */
    private long changedBy;

    OneShotWatch(byte[] key, String path, WatchListener listener) {
      super(path, listener);
      this.key = key;
    }

    @Override
    void set() {
      connection()
          .send(new ZooKeeperCall(OpCode.getData, new GetDataRequest(node, true), this::end));
    }

    private void end(ZooKeeperReply reply) throws IOException {
      if (isOver(reply)) {
        return;
      }
      if (reply.isOk()) {
        byte[] value = reply.record().readBuffer("");
        Stat stat = new Stat();
        stat.deserialize(reply.record(), "");
        oneShot.computeIfAbsent(node, any -> new LinkedHashSet<>()).add(this);
        read(value == null ? new byte[0] : value, stat);
      } else if (reply.is(Code.NONODE) && !started) {
        refused("there is no node " + node + " to watch");
      } else if (reply.is(Code.NOAUTH) && !started) {
        refused("no right to read " + node);
      } else {
        setSoon(reply);
      }
    }

    private void read(byte[] value, Stat stat) {
      if (!started) {
        started = true;
        listener.started();
      } else if (stat.getMzxid() != changedBy) {
        listener.changed(key, value, stat.getVersion());
      }
      changedBy = stat.getMzxid();
    }
  }

  /**
   * Watches all children of a node with a prefix, by a persistent recursive watch: each change has
   * a notification, with the node but not its value. Changes during an interruption are never
   * reported.
   */
  private final class RecursiveWatch extends NodeWatch {
    private static final byte[] NO_VALUE = {};
    private final Watch watch;

    RecursiveWatch(Watch watch, WatchListener listener) {
      super(parent("/" + new String(watch.key(), ISO_8859_1)), listener);
      this.watch = watch;
    }

    private static String parent(String prefix) {
      return prefix.substring(0, Math.max(1, prefix.lastIndexOf('/')));
    }

    @Override
    void set() {
      int mode = AddWatchMode.PERSISTENT_RECURSIVE.getMode();
      connection()
          .send(new ZooKeeperCall(OpCode.addWatch, new AddWatchRequest(node, mode), this::end));
    }

    private void end(ZooKeeperReply reply) {
      if (isOver(reply)) {
        return;
      }
      if (reply.isOk() && !started) {
        started = true;
        listener.started();
      } else if (reply.is(Code.UNIMPLEMENTED)) {
        refused("the server has no persistent watches, which came with ZooKeeper 3.6");
      } else if (reply.is(Code.NOAUTH) && !started) {
        refused("no right to watch " + node);
      } else if (!reply.isOk()) {
        setSoon(reply);
      }
    }

    void changed(EventType type, String path, long zxid) {
      byte[] key = path.substring(1).getBytes(ISO_8859_1);
      boolean written = type == EventType.NodeCreated || type == EventType.NodeDataChanged;
      if (written && watch.covers(key)) {
        listener.changed(key, NO_VALUE, zxid);
      } else if (type == EventType.NodeDeleted && watch.covers(key)) {
        listener.removed(key);
      }
    }
  }
}
