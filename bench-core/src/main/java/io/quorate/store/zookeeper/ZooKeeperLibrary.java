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
import io.quorate.store.StoreClient;
import io.quorate.store.Subscriptions;
import io.quorate.store.driver.Deadlines;
import io.quorate.store.driver.PendingRequest;
import io.quorate.store.driver.TimedConnection;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.AsyncCallback.DataCallback;
import org.apache.zookeeper.AsyncCallback.MultiCallback;
import org.apache.zookeeper.AsyncCallback.StatCallback;
import org.apache.zookeeper.AsyncCallback.StringCallback;
import org.apache.zookeeper.AsyncCallback.VoidCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
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
  private static final int ANY_VERSION = -1;

  // The context of each callback is the PendingRequest; the revision of a key is its node's
  // version.

  private static final StringCallback CREATED =
      (code, asked, request, made) -> {
        if (code == Code.OK.intValue() && !asked.equals(made)) {
          fail(request, ErrorKind.OTHER, "malformed response: another node than the one asked for");
        } else if (succeeded(request, code)) {
          answer(request, ZooKeeperDriver.CREATED);
        }
      };

  private static final StatCallback UPDATED =
      (code, path, request, stat) -> {
        if (succeeded(request, code)) {
          answer(request, new Answer.Written(stat.getVersion()));
        }
      };

  private static final StatCallback COMPARED =
      (code, path, request, stat) -> {
        if (code == Code.BADVERSION.intValue()) {
          answer(request, Answer.CONFLICT);
        } else {
          UPDATED.processResult(code, path, request, stat);
        }
      };

  private static final VoidCallback DELETED =
      (code, path, request) -> {
        if (succeeded(request, code)) {
          answer(request, Answer.WRITTEN);
        }
      };

  private static final DataCallback READ =
      (code, path, request, data, stat) -> {
        if (succeeded(request, code)) {
          byte[] value = data == null ? new byte[0] : data;
          answer(request, new Answer.Found(value, stat.getVersion()));
        }
      };

  /**
   * Ends the request if the sync failed; after a successful sync the read behind it ends the
   * request.
   */
  private static final VoidCallback SYNCHRONIZED =
      (code, path, request) -> succeeded(request, code);

  /** Ends a transaction with the code of its first part that failed. */
  private static final MultiCallback TRANSACTED =
      (code, path, request, results) -> {
        if (succeeded(request, code)) {
          answer(request, Answer.WRITTEN);
        }
      };

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

  /** Describes the kind of client: each session has a selector, and two threads. */
  static ClientKind kind(
      String id, Supplier<ZooKeeperDriver.Client> own, Capabilities capabilities) {
    return new ClientKind("zookeeper", () -> new Client(id, own.get(), capabilities), 3, 2)
        .without(Operation.LOCK, Operation.ELECT, Operation.REGISTER, Operation.EXPIRE);
  }

  /** Describes the same kind with the locks and elections of Curator's recipes. */
  static ClientKind curator(
      String id, Supplier<ZooKeeperDriver.Client> own, Capabilities capabilities) {
    return new ClientKind("curator", () -> new Client(id, own.get(), capabilities), 3, 2)
        .without(Operation.REGISTER, Operation.EXPIRE);
  }

  /** A client with the streams and nodes of another one. */
  private static final class Client implements StoreClient {
    private final String id;
    private final ZooKeeperDriver.Client own;
    private final Capabilities capabilities;
    private final Deadlines deadlines;

    /** The access of all sessions; null before the first. */
    private @Nullable LibraryAccess access;

    Client(String id, ZooKeeperDriver.Client own, Capabilities capabilities) {
      this.id = id;
      this.own = own;
      this.capabilities = capabilities;
      this.deadlines = new Deadlines(id + "-library-deadlines");
    }

    private synchronized LibraryAccess access(DriverSettings settings) {
      if (access == null) {
        access = LibraryAccess.of(settings.access());
      }
      return access;
    }

    @Override
    public Connection open(DriverSettings settings) {
      LibraryAccess shared = access(settings);
      own.open(settings).close(); // creates the parent nodes of keys, or says why there is none
      var opened = new ZooKeeperLibrary(settings, shared, own.layout(), capabilities, deadlines);
      try {
        opened.await(id);
        return opened;
      } catch (QuorateException late) {
        opened.close();
        throw late;
      }
    }

    @Override
    public Subscriptions subscribe(DriverSettings settings) {
      return own.subscribe(settings);
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
      return new CuratorLocks(members, ttl, access(members.get(0)), own::layout, recipe);
    }

    @Override
    public void enter(DriverSettings settings, String prefix) {
      own.enter(settings, prefix);
    }

    @Override
    public boolean leave(DriverSettings settings, String prefix) {
      return own.leave(settings, prefix);
    }

    @Override
    public synchronized void close() {
      own.close();
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
    if (request instanceof Request.Put put) {
      put(put, completion);
    } else if (request instanceof Request.Get get) {
      get(get.key(), get.consistency(), completion);
    } else if (request instanceof Request.Delete delete) {
      delete(delete.key(), completion);
    } else {
      submitOther(request, completion);
    }
  }

  private void submitOther(Request request, Completion completion) {
    capabilities.require(request);
    if (request instanceof Request.CompareAndSet compared) {
      compareAndSet(compared, completion);
    } else if (request instanceof Request.Txn txn) {
      txn(txn.puts(), completion);
    }
  }

  private void put(Request.Put put, Completion completion) {
    if (put.creates()) {
      send(
          completion,
          (handle, request) ->
              handle.create(
                  layout.path(put.key()),
                  put.value(),
                  acl,
                  CreateMode.PERSISTENT,
                  CREATED,
                  request));
    } else {
      send(
          completion,
          (handle, request) ->
              handle.setData(layout.path(put.key()), put.value(), ANY_VERSION, UPDATED, request));
    }
  }

  private void get(byte[] key, ReadConsistency consistency, Completion completion) {
    send(
        completion,
        (handle, request) -> {
          String path = layout.path(key);
          if (consistency == ReadConsistency.LINEARIZABLE) {
            handle.sync(path, SYNCHRONIZED, request);
          }
          handle.getData(path, false, READ, request);
        });
  }

  private void delete(byte[] key, Completion completion) {
    send(
        completion,
        (handle, request) -> handle.delete(layout.path(key), ANY_VERSION, DELETED, request));
  }

  private void compareAndSet(Request.CompareAndSet compared, Completion completion) {
    send(
        completion,
        (handle, request) ->
            handle.setData(
                layout.path(compared.key()),
                compared.value(),
                Math.toIntExact(compared.revision()),
                COMPARED,
                request));
  }

  private void txn(List<Request.Put> puts, Completion completion) {
    send(
        completion,
        (handle, request) ->
            handle.multi(puts.stream().map(this::operation).toList(), TRANSACTED, request));
  }

  private Op operation(Request.Put put) {
    String path = layout.path(put.key());
    return put.creates()
        ? Op.create(path, put.value(), acl, CreateMode.PERSISTENT)
        : Op.setData(path, put.value(), ANY_VERSION);
  }

  private void send(Completion completion, BiConsumer<ZooKeeper, PendingRequest> operation) {
    PendingRequest request = pending.add(completion);
    ZooKeeper present = handle;
    if (present == null) {
      request.end(told -> told.failed(ErrorKind.CONNECTION, "not connected"));
      return;
    }
    try {
      request.sent();
      operation.accept(present, request);
    } catch (RuntimeException refusal) {
      request.endRefused(refusal); // for a path such as "/.", before anything was sent
    }
  }

  private static boolean succeeded(Object request, int number) {
    if (number == Code.OK.intValue()) {
      return true;
    }
    Code code = Code.get(number);
    if (code == Code.NONODE) {
      answer(request, Answer.MISSING);
    } else {
      fail(request, ZooKeeperDriver.kind(code), code == null ? "code " + number : code.name());
    }
    return false;
  }

  private static void answer(Object request, Answer answer) {
    ((PendingRequest) request).end(completion -> completion.answered(answer));
  }

  private static void fail(Object request, ErrorKind kind, String message) {
    ((PendingRequest) request).end(completion -> completion.failed(kind, message));
  }
}
