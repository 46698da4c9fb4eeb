// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import io.quorate.DaemonThreads;
import io.quorate.QuorateException;
import io.quorate.store.Answer;
import io.quorate.store.Capabilities;
import io.quorate.store.ClientKind;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.ErrorKind;
import io.quorate.store.Locks;
import io.quorate.store.Operation;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Request;
import io.quorate.store.WatchSupport;
import io.quorate.store.driver.Deadlines;
import io.quorate.store.driver.PendingRequest;
import io.quorate.store.driver.TimedConnection;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.AsyncCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;

/**
 * The asynchronous operations of ZooKeeper's client library, for comparison with {@link
 * ZooKeeperDriver}: one connection is one session, with two threads. Requests count as sent when
 * the library is called. A session that has expired is replaced. Without a connection, requests
 * fail at once.
 */
final class ZooKeeperLibrary extends TimedConnection implements Watcher {
  private final DriverSettings settings;
  private final LibraryAccess access;
  private final NodeLayout layout;
  private final Capabilities capabilities;
  private final List<ACL> acl;
  private final CountDownLatch firstConnected = new CountDownLatch(1);

  /** The handle of the present session, guarded by this; null before the first and at the end. */
  private @Nullable ZooKeeper newest;

  private boolean ended;

  /** The connected handle; null while there is no connection. */
  private volatile @Nullable ZooKeeper handle;

  private ZooKeeperLibrary(
      DriverSettings settings,
      LibraryAccess access,
      NodeLayout layout,
      Capabilities capabilities,
      Deadlines deadlines) {
    super(settings, deadlines);
    this.settings = settings;
    this.access = access;
    this.layout = layout;
    this.capabilities = capabilities;
    this.acl = access.acl();
    access.sessionBegins();
    begin();
  }

  /** Returns the kind without locks and elections: each session has a selector, and two threads. */
  static ClientKind kind(
      String id, Supplier<NodeLayout> layout, Capabilities capabilities, WatchSupport watches) {
    return kind("zookeeper", id, layout, capabilities, watches)
        .without(Operation.LOCK, Operation.ELECT, Operation.REGISTER, Operation.EXPIRE);
  }

  /** Returns the kind with the locks and elections of Curator's recipes. */
  static ClientKind curator(String id, Capabilities capabilities, WatchSupport watches) {
    return kind("curator", id, () -> NodeLayout.FLAT, capabilities, watches)
        .without(Operation.REGISTER, Operation.EXPIRE);
  }

  private static ClientKind kind(
      String name,
      String id,
      Supplier<NodeLayout> layout,
      Capabilities capabilities,
      WatchSupport watches) {
    return new ClientKind(name, () -> new Client(id, layout.get(), capabilities, watches), 3, 2);
  }

  /** A client with the streams and nodes of the other one. */
  private static final class Client extends ZooKeeperClient {
    /** The access of all sessions; null before the first. */
    private @Nullable LibraryAccess access;

    Client(String id, NodeLayout layout, Capabilities capabilities, WatchSupport watches) {
      super(id, layout, capabilities, watches);
    }

    /** Returns the access; first creates the parent nodes of keys, or says why it cannot. */
    private synchronized LibraryAccess access(DriverSettings settings) {
      if (access == null) {
        super.open(settings).close();
        access = LibraryAccess.of(settings.access());
      }
      return access;
    }

    @Override
    public Connection open(DriverSettings settings) {
      LibraryAccess shared = access(settings);
      var opened = new ZooKeeperLibrary(settings, shared, layout, capabilities, deadlines);
      try {
        opened.await(id);
        return opened;
      } catch (QuorateException late) {
        opened.close();
        throw late;
      }
    }

    @Override
    public Locks locks(List<DriverSettings> members, Duration ttl) {
      return locks(members, ttl, CuratorLocks.Recipe::mutex);
    }

    @Override
    public Locks elections(List<DriverSettings> members, Duration ttl) {
      return locks(members, ttl, CuratorLocks.Recipe::latch);
    }

    private Locks locks(
        List<DriverSettings> members,
        Duration ttl,
        BiFunction<CuratorFramework, String, CuratorLocks.Recipe> recipe) {
      return new CuratorLocks(members, ttl, access(members.get(0)), () -> layout, recipe);
    }

    @Override
    public synchronized void close() {
      super.close();
      if (access != null) {
        access.close();
      }
    }
  }

  /** Begins a session, unless the connection is closed. */
  private synchronized void begin() {
    if (ended) {
      return;
    }
    try {
      int timeoutMillis = (int) ZooKeeperConnection.LONG.toMillis();
      newest = access.begin(settings.endpoint().toString(), timeoutMillis, this);
    } catch (IOException impossible) {
      throw new QuorateException("cannot open a session: " + impossible.getMessage(), impossible);
    }
  }

  private void await(String id) {
    String problem = "no session within " + settings.connectTimeout().toMillis() + " ms";
    try {
      if (firstConnected.await(settings.connectTimeout().toNanos(), TimeUnit.NANOSECONDS)) {
        return;
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      problem = "interrupted while connecting";
    }
    throw new QuorateException(id + " at " + settings.endpoint() + ": " + problem);
  }

  @Override
  public void process(WatchedEvent event) {
    if (event.getState() == KeeperState.SyncConnected) {
      connected();
    } else {
      handle = null;
      if (event.getState() == KeeperState.Expired) {
        begin();
      }
    }
  }

  private synchronized void connected() {
    if (!ended) {
      handle = newest;
      firstConnected.countDown();
    }
  }

  /**
   * Closes the session on another thread. The client library waits for the server's answer and then
   * sleeps for 100 ms, which is 100 s for a thousand sessions.
   */
  @Override
  protected synchronized void end() {
    ended = true;
    handle = null;
    ZooKeeper last = newest;
    DaemonThreads.start("zookeeper-library-close", () -> close(last));
  }

  private void close(@Nullable ZooKeeper last) {
    try {
      if (last != null) {
        last.close();
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    } finally {
      access.sessionEnded();
    }
  }

  @Override
  public void submit(Request request, Completion completion) {
    capabilities.require(request);
    PendingRequest sent = pending.add(completion);
    ZooKeeper present = handle;
    if (present == null) {
      sent.end(told -> told.failed(ErrorKind.CONNECTION, "not connected"));
      return;
    }
    try {
      sent.sent();
      send(present, request, sent);
    } catch (RuntimeException refusal) {
      sent.endRefused(refusal); // for a path such as "/.", before anything was sent
    }
  }

  private void send(ZooKeeper to, Request request, PendingRequest sent) {
    if (request instanceof Request.Put put && put.creates()) {
      create(to, put.key(), put.value(), CreateMode.PERSISTENT, sent);
    } else if (request instanceof Request.CreateEphemeral create) {
      create(to, create.key(), create.value(), CreateMode.EPHEMERAL, sent);
    } else if (request instanceof Request.Put put) {
      update(to, put.key(), put.value(), ZooKeeperDriver.ANY_VERSION, sent);
    } else if (request instanceof Request.Get get) {
      String path = layout.path(get.key());
      sync(to, path, get.consistency(), sent);
      to.getData(
          path,
          false,
          (code, asked, none, data, stat) ->
              end(sent, code, () -> ZooKeeperDriver.found(data, stat)),
          null);
    } else if (request instanceof Request.Exists exists) {
      String path = layout.path(exists.key());
      sync(to, path, exists.consistency(), sent);
      to.exists(
          path, false, (code, asked, none, stat) -> end(sent, code, () -> Answer.EXISTS), null);
    } else if (request instanceof Request.Delete delete) {
      to.delete(
          layout.path(delete.key()),
          ZooKeeperDriver.ANY_VERSION,
          (code, path, none) -> end(sent, code, () -> Answer.WRITTEN),
          null);
    } else if (request instanceof Request.CompareAndSet compared) {
      int version = Math.toIntExact(compared.revision());
      update(to, compared.key(), compared.value(), version, sent);
    } else if (request instanceof Request.Range range) {
      String node = ZooKeeperDriver.parent(layout, range);
      AsyncCallback.ChildrenCallback listed =
          (code, path, none, children) ->
              end(sent, code, () -> ZooKeeperDriver.entries(layout, range, children));
      sync(to, node, range.consistency(), sent);
      to.getChildren(node, false, listed, null);
    } else if (request instanceof Request.Txn txn) {
      // the code is that of its first part that failed
      layout.makeRoom(
          ZooKeeperDriver.created(txn),
          makerOf(to),
          () ->
              to.multi(
                  ZooKeeperDriver.operations(txn, layout, acl),
                  (code, path, none, parts) -> end(sent, code, () -> Answer.WRITTEN),
                  null));
    }
  }

  private void update(ZooKeeper to, byte[] key, byte[] value, int version, PendingRequest sent) {
    to.setData(
        layout.path(key),
        value,
        version,
        (code, path, none, stat) -> {
          if (code == Code.BADVERSION.intValue()) {
            sent.end(told -> told.answered(Answer.CONFLICT));
          } else {
            end(sent, code, () -> new Answer.Written(stat.getVersion()));
          }
        },
        null);
  }

  private void create(
      ZooKeeper to, byte[] key, byte[] value, CreateMode mode, PendingRequest sent) {
    layout.makeRoom(
        key,
        makerOf(to),
        () ->
            to.create(
                layout.path(key),
                value,
                acl,
                mode,
                (code, path, none, made) -> end(sent, code, () -> ZooKeeperDriver.CREATED),
                null));
  }

  private NodeLayout.Maker makerOf(ZooKeeper to) {
    return (directory, exists) ->
        to.create(
            directory,
            new byte[0],
            acl,
            CreateMode.PERSISTENT,
            (code, path, none, made) ->
                exists.accept(code == Code.OK.intValue() || code == Code.NODEEXISTS.intValue()),
            null);
  }

  /** Brings the member up to date for the read behind it, if that has to be the latest state. */
  private static void sync(
      ZooKeeper from, String path, ReadConsistency consistency, PendingRequest sent) {
    if (consistency == ReadConsistency.LINEARIZABLE) {
      from.sync(path, (code, asked, none) -> endFailed(sent, code), null);
    }
  }

  private static void end(PendingRequest sent, int code, Supplier<Answer> answer) {
    if (code == Code.OK.intValue()) {
      sent.end(told -> told.answered(answer.get()));
    } else {
      endFailed(sent, code);
    }
  }

  /** Ends the request if it failed; after a successful sync the read behind it ends the request. */
  private static void endFailed(PendingRequest sent, int code) {
    ZooKeeperDriver.endFailed(sent, ZooKeeperReply.failed(code, ""));
  }
}
