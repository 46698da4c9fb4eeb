package io.quorate.store.zookeeper;

import io.quorate.QuorateException;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.Deadlines;
import io.quorate.store.DriverSettings;
import io.quorate.store.ErrorKind;
import io.quorate.store.PendingRequest;
import io.quorate.store.PendingRequests;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Request;
import io.quorate.store.StoreClient;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.zookeeper.AsyncCallback.DataCallback;
import org.apache.zookeeper.AsyncCallback.StatCallback;
import org.apache.zookeeper.AsyncCallback.StringCallback;
import org.apache.zookeeper.AsyncCallback.VoidCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;

/**
 * Driver of ZooKeeper: one driver is one session, kept by Curator, and the asynchronous operations
 * of its handle. A key is a persistent node. Completions run on the event thread of the session,
 * those of late requests on the one of {@link Deadlines}. While there is no connection, requests
 * fail at once.
 */
public final class ZooKeeperDriver implements Connection {
  private static final StringCallback CREATED =
      (code, path, request, name) -> endCreate((PendingRequest) request, code, path, name);
  private static final StatCallback UPDATED =
      (code, path, request, stat) ->
          end((PendingRequest) request, code, completion -> completion.answered(Answer.WRITTEN));
  private static final VoidCallback DELETED =
      (code, path, request) ->
          end((PendingRequest) request, code, completion -> completion.answered(Answer.WRITTEN));
  private static final DataCallback READ =
      (code, path, request, data, stat) ->
          end(
              (PendingRequest) request,
              code,
              completion -> completion.answered(new Answer.Found(bytes(data), Answer.NO_REVISION)));

  /**
   * Ends the request if the sync failed; a successful sync says nothing yet: the read behind it
   * ends the request.
   */
  private static final VoidCallback SYNCHRONIZED =
      (code, path, request) -> {
        if (code != Code.OK.intValue()) {
          end((PendingRequest) request, code, completion -> completion.answered(Answer.MISSING));
        }
      };

  private static final int ANY_VERSION = -1;

  private final ZooKeeperSession session;
  private final NodeLayout layout;
  private final PendingRequests pending;
  private final Deadlines deadlines;

  private ZooKeeperDriver(
      ZooKeeperSession session, NodeLayout layout, PendingRequests pending, Deadlines deadlines) {
    this.session = session;
    this.layout = layout;
    this.pending = pending;
    this.deadlines = deadlines;
  }

  /**
   * Opens sessions that share one clock for their deadlines.
   *
   * @param id names the threads, and the store in what a person reads
   * @param layout where the keys are
   */
  public static StoreClient client(String id, NodeLayout layout) {
    return new Client(id, layout, new Deadlines(id + "-deadlines"));
  }

  private record Client(String id, NodeLayout layout, Deadlines deadlines) implements StoreClient {
    @Override
    public Connection open(DriverSettings settings) {
      var session = ZooKeeperSession.open(id, settings.endpoint(), settings.connectTimeout());
      try {
        layout.prepare(session.requireHandle());
      } catch (QuorateException unprepared) {
        session.close();
        throw unprepared;
      }
      var pending = new PendingRequests(settings.requestTimeout());
      deadlines.watch(pending);
      return new ZooKeeperDriver(session, layout, pending, deadlines);
    }

    /** Does nothing, as each session has threads of its own. */
    @Override
    public void close() {}
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
      throw new IllegalArgumentException("cannot " + request.operation());
    }
  }

  private void put(Request.Put put, Completion completion) {
    if (put.creates()) {
      create(put.key(), put.value(), completion);
    } else {
      update(put.key(), put.value(), completion);
    }
  }

  private void create(byte[] key, byte[] value, Completion completion) {
    send(
        completion,
        (handle, request) ->
            handle.create(
                layout.path(key),
                value,
                ZooDefs.Ids.OPEN_ACL_UNSAFE,
                CreateMode.PERSISTENT,
                CREATED,
                request));
  }

  private void update(byte[] key, byte[] value, Completion completion) {
    send(
        completion,
        (handle, request) ->
            handle.setData(layout.path(key), value, ANY_VERSION, UPDATED, request));
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

  @Override
  public void close() {
    pending.close();
    deadlines.forget(pending);
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
      request.endRefused(refusal); // of a path such as "/.", before anything was sent
    }
  }

  private static void end(PendingRequest request, int number, Consumer<Completion> success) {
    if (number == Code.OK.intValue()) {
      request.end(success);
      return;
    }
    Code code = Code.get(number);
    if (code == Code.NONODE) {
      request.end(completion -> completion.answered(Answer.MISSING));
    } else {
      String message = code == null ? "code " + number : code.name();
      request.end(completion -> completion.failed(kind(code), message));
    }
  }

  /**
   * @param code null for one that the client library does not know
   */
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

  /**
   * Ends a create; the server says which node it made: the one that was asked for, as no name is
   * sequential.
   */
  private static void endCreate(PendingRequest request, int code, String asked, String made) {
    if (code == Code.OK.intValue() && !asked.equals(made)) {
      request.end(
          completion ->
              completion.failed(
                  ErrorKind.OTHER, "malformed response: another node than the one asked for"));
    } else {
      end(request, code, completion -> completion.answered(Answer.WRITTEN));
    }
  }

  private static byte[] bytes(byte[] data) {
    return data == null ? new byte[0] : data;
  }
}
