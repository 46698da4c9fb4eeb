// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

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
import io.quorate.store.Sessions;
import io.quorate.store.StoreClient;
import io.quorate.store.Subscriptions;
import io.quorate.store.WatchSupport;
import io.quorate.store.driver.Deadlines;
import io.quorate.store.driver.PendingRequest;
import io.quorate.store.driver.TimedConnection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
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
import org.apache.zookeeper.EventThread;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;

/**
 * Driver of ZooKeeper: one driver is one session, kept by Curator, and the asynchronous operations
 * of its handle. A key is a persistent node. Completions run on the event thread of the session;
 * completions of late requests run on the thread of {@link Deadlines}. Without a connection,
 * requests fail at once.
 */
public final class ZooKeeperDriver extends TimedConnection {
  public static final Set<Operation> OPERATIONS =
      Set.of(
          Operation.PUT, Operation.GET, Operation.DELETE, Operation.COMPARE_AND_SET, Operation.TXN);

  private static final int ANY_VERSION = -1;

  // The context of each callback is the PendingRequest; the revision of a key is its node's
  // version.

  /** The answer to a create: a new node has version 0. */
  private static final Answer CREATED_NODE = new Answer.Written(0);

  /**
   * Ends a create. The server returns the name of the node, which equals the requested one, as no
   * name is sequential.
   */
  private static final StringCallback CREATED =
      (code, asked, request, made) -> {
        if (code == Code.OK.intValue() && !asked.equals(made)) {
          fail(request, ErrorKind.OTHER, "malformed response: another node than the one asked for");
        } else if (succeeded(request, code)) {
          answer(request, CREATED_NODE);
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

  private final ZooKeeperSession session;
  private final NodeLayout layout;
  private final Capabilities capabilities;
  private final List<ACL> acl;

  private ZooKeeperDriver(
      DriverSettings settings,
      ZooKeeperSession session,
      NodeLayout layout,
      Capabilities capabilities,
      List<ACL> acl,
      Deadlines deadlines) {
    super(settings, deadlines);
    this.session = session;
    this.layout = layout;
    this.capabilities = capabilities;
    this.acl = acl;
  }

  /**
   * Describes the kind of client: each session has a selector, and threads to send and to deliver
   * events.
   */
  public static ClientKind kind(
      String id, Supplier<NodeLayout> layout, Capabilities capabilities, WatchSupport watches) {
    return new ClientKind(
        "curator", () -> new Client(id, layout.get(), capabilities, watches, false), 3, 2);
  }

  /** Describes the same kind with the locks and elections of Curator's recipes. */
  static ClientKind recipes(
      String id, Supplier<NodeLayout> layout, Capabilities capabilities, WatchSupport watches) {
    return new ClientKind(
        "curator-recipes", () -> new Client(id, layout.get(), capabilities, watches, true), 3, 2);
  }

  private static final class Client implements StoreClient {
    private final String id;
    private final Capabilities capabilities;
    private final WatchSupport watches;
    private final Deadlines deadlines;
    private final boolean recipes;
    private final NodeLayout whole;
    private volatile NodeLayout layout;

    /** The access of all sessions; null before the first. */
    private @Nullable ZooKeeperAccess access;

    /**
     * @param recipes whether locks and elections are those of Curator's recipes
     */
    Client(
        String id,
        NodeLayout layout,
        Capabilities capabilities,
        WatchSupport watches,
        boolean recipes) {
      this.id = id;
      this.whole = layout;
      this.layout = layout;
      this.capabilities = capabilities;
      this.watches = watches;
      this.recipes = recipes;
      this.deadlines = new Deadlines(id + "-deadlines");
    }

    private synchronized ZooKeeperAccess access(DriverSettings settings) {
      if (access == null) {
        access = ZooKeeperAccess.of(settings.access());
      }
      return access;
    }

    @Override
    public Connection open(DriverSettings settings) {
      return new ZooKeeperDriver(
          settings, session(settings), layout, capabilities, access(settings).acl(), deadlines);
    }

    @Override
    public Subscriptions subscribe(DriverSettings settings) {
      return new ZooKeeperStream(session(settings), layout, watches);
    }

    @Override
    public Sessions sessions(List<DriverSettings> members, Duration ttl) {
      return new ZooKeeperSessions(members, ttl, access(members.get(0)), () -> layout);
    }

    @Override
    public Locks locks(List<DriverSettings> members, Duration ttl) {
      return recipes
          ? locks(members, ttl, CuratorLocks.Recipe::mutex)
          : StoreClient.super.locks(members, ttl);
    }

    @Override
    public Locks elections(List<DriverSettings> members, Duration ttl) {
      return recipes
          ? locks(members, ttl, CuratorLocks.Recipe::latch)
          : StoreClient.super.elections(members, ttl);
    }

    private Locks locks(
        List<DriverSettings> members,
        Duration ttl,
        BiFunction<CuratorFramework, String, CuratorLocks.Recipe> recipe) {
      return new CuratorLocks(members, ttl, access(members.get(0)), () -> layout, recipe);
    }

    @Override
    public void enter(DriverSettings settings, String prefix) {
      try (var session = unprepared(settings)) {
        new KeyNodes(session.requireHandle(), prefix).create(access(settings));
      }
      layout = layout.below(prefix);
    }

    @Override
    public boolean leave(DriverSettings settings, String prefix) {
      try (var session = unprepared(settings)) {
        new KeyNodes(session.requireHandle(), prefix).remove();
      }
      layout = whole;
      return true;
    }

    private ZooKeeperSession unprepared(DriverSettings settings) {
      return ZooKeeperSession.open(
          id, settings.endpoint(), access(settings), settings.connectTimeout());
    }

    private ZooKeeperSession session(DriverSettings settings) {
      var session = unprepared(settings);
      try {
        layout.prepare(session.requireHandle());
        return session;
      } catch (QuorateException unprepared) {
        session.close();
        throw unprepared;
      }
    }

    /** Ends no thread, as each session has its own. */
    @Override
    public synchronized void close() {
      if (access != null) {
        access.close();
      }
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

  @Override
  public Optional<Executor> eventLoop() {
    return Optional.of(this::onEventThread);
  }

  private void onEventThread(Runnable task) {
    ZooKeeper handle = session.handle();
    if (handle == null) {
      throw new RejectedExecutionException("not connected");
    }
    EventThread.execute(handle, task);
  }

  @Override
  protected void end() {
    session.close();
  }

  private void send(Completion completion, BiConsumer<ZooKeeper, PendingRequest> operation) {
    PendingRequest request = pending.add(completion);
    ZooKeeper handle = session.handle();
    if (handle == null) {
      request.end(told -> told.failed(ErrorKind.CONNECTION, "not connected"));
      return;
    }
    try {
      operation.accept(handle, request);
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
      fail(request, kind(code), code == null ? "code " + number : code.name());
    }
    return false;
  }

  private static void answer(Object request, Answer answer) {
    ((PendingRequest) request).end(completion -> completion.answered(answer));
  }

  private static void fail(Object request, ErrorKind kind, String message) {
    ((PendingRequest) request).end(completion -> completion.failed(kind, message));
  }

  /** Returns the kind of an error; null is a code unknown to the client library. */
  public static ErrorKind kind(Code code) {
    if (code == null) {
      return ErrorKind.OTHER;
    }
    return switch (code) {
      case CONNECTIONLOSS,
          SESSIONEXPIRED,
          SESSIONMOVED,
          UNKNOWNSESSION,
          AUTHFAILED,
          SESSIONCLOSEDREQUIRESASLAUTH ->
          ErrorKind.CONNECTION;
      case OPERATIONTIMEOUT, REQUESTTIMEOUT -> ErrorKind.TIMEOUT;
      case NODEEXISTS,
          NOTEMPTY,
          BADVERSION,
          BADARGUMENTS,
          NOAUTH,
          INVALIDACL,
          NOCHILDRENFOREPHEMERALS,
          NOTREADONLY,
          QUOTAEXCEEDED,
          THROTTLEDOP ->
          ErrorKind.REJECTED;
      default -> ErrorKind.OTHER;
    };
  }
}
