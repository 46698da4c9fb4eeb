// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.quorate.store.Answer;
import io.quorate.store.Capabilities;
import io.quorate.store.ClientKind;
import io.quorate.store.Completion;
import io.quorate.store.DriverSettings;
import io.quorate.store.Operation;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Request;
import io.quorate.store.WatchSupport;
import io.quorate.store.driver.Deadlines;
import io.quorate.store.driver.PendingRequest;
import io.quorate.store.driver.TimedConnection;
import java.io.IOException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.jute.InputArchive;
import org.apache.jute.Record;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.MultiOperationRecord;
import org.apache.zookeeper.MultiResponse;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.apache.zookeeper.proto.CreateRequest;
import org.apache.zookeeper.proto.CreateTTLRequest;
import org.apache.zookeeper.proto.DeleteRequest;
import org.apache.zookeeper.proto.ExistsRequest;
import org.apache.zookeeper.proto.GetChildrenRequest;
import org.apache.zookeeper.proto.GetDataRequest;
import org.apache.zookeeper.proto.SetDataRequest;
import org.apache.zookeeper.proto.SyncRequest;
import org.jspecify.annotations.Nullable;

/**
 * Driver of ZooKeeper's protocol over TCP: one driver is one session, see {@link
 * ZooKeeperConnection}. A key is a persistent node, and its revision is the version of the node.
 * Completions run on the event loop of the connection; completions of late requests run on the
 * thread of {@link Deadlines}.
 */
public final class ZooKeeperDriver extends TimedConnection {
  public static final Set<Operation> OPERATIONS =
      Set.of(
          Operation.PUT,
          Operation.GET,
          Operation.EXISTS,
          Operation.DELETE,
          Operation.COMPARE_AND_SET,
          Operation.TXN);

  static final int ANY_VERSION = -1;

  private static final byte[] NO_VALUE = {};

  private static final String NO_TTL =
      "the servers refuse nodes with a TTL: set extendedTypesEnabled=true in zoo.cfg of each server"
          + " and restart it";

  /** The answer to a create: a new node has version 0. */
  static final Answer CREATED = new Answer.Written(0);

  private static final Meaning UPDATED = record -> new Answer.Written(stat(record).getVersion());
  private static final Meaning DELETED = record -> Answer.WRITTEN;

  private static final Meaning EXISTS = record -> Answer.EXISTS;

  private static final Meaning READ =
      record -> {
        byte[] value = record.readBuffer("");
        return found(value, stat(record));
      };

  /** Reads the answer in the record of a reply. */
  private interface Meaning {
    Answer of(InputArchive record) throws IOException;
  }

  private final ZooKeeperConnection connection;
  private final NodeLayout layout;
  private final Capabilities capabilities;
  private final List<ACL> acl;

  ZooKeeperDriver(
      DriverSettings settings,
      ZooKeeperConnection connection,
      NodeLayout layout,
      Capabilities capabilities,
      Deadlines deadlines) {
    super(settings, deadlines);
    this.connection = connection;
    this.layout = layout;
    this.capabilities = capabilities;
    this.acl = connection.access().acl();
  }

  /**
   * Returns the kinds of clients of a store with ZooKeeper's protocol: this driver, and ZooKeeper's
   * library for comparison.
   */
  public static List<ClientKind> kinds(
      String id, Supplier<NodeLayout> layout, Capabilities capabilities, WatchSupport watches) {
    return List.of(
        new ClientKind("tcp", () -> new ZooKeeperClient(id, layout.get(), capabilities, watches)),
        ZooKeeperLibrary.kind(id, layout, capabilities, watches));
  }

  /**
   * Returns why a store with ZooKeeper's protocol has neither leases nor current values, and other
   * reasons.
   */
  public static Map<Operation, String> reasons(
      String session, String returning, Map<Operation, String> others) {
    Map<Operation, String> reasons = new HashMap<>(others);
    String pings = session + " is kept alive by pings, which its connection sends by itself";
    String current = returning + " returns no current value when a condition fails";
    Stream.of(Operation.LEASE_GRANT, Operation.LEASE_KEEPALIVE)
        .forEach(each -> reasons.put(each, pings));
    Stream.of(Operation.OPTIMISTIC_CREATE, Operation.OPTIMISTIC_UPDATE, Operation.OPTIMISTIC_DELETE)
        .forEach(each -> reasons.put(each, current));
    return reasons;
  }

  @Override
  public void submit(Request request, Completion completion) {
    if (request instanceof Request.Put put) {
      put(put, completion);
    } else if (request instanceof Request.Get get) {
      get(get, completion);
    } else if (request instanceof Request.Delete delete) {
      var deletion = new DeleteRequest(layout.path(delete.key()), ANY_VERSION);
      send(OpCode.delete, deletion, pending.add(completion), DELETED);
    } else {
      submitOther(request, completion);
    }
  }

  private void submitOther(Request request, Completion completion) {
    capabilities.require(request);
    if (request instanceof Request.CreateWithTtl create) {
      create(create, completion);
    } else if (request instanceof Request.CreateEphemeral create) {
      create(create.key(), create.value(), CreateMode.EPHEMERAL, completion);
    } else if (request instanceof Request.Exists exists) {
      String path = layout.path(exists.key());
      PendingRequest sent = synced(path, exists.consistency(), completion);
      send(OpCode.exists, new ExistsRequest(path, false), sent, EXISTS);
    } else if (request instanceof Request.CompareAndSet compared) {
      compareAndSet(compared, completion);
    } else if (request instanceof Request.Range range) {
      children(range, completion);
    } else if (request instanceof Request.Txn txn) {
      var operations = new MultiOperationRecord(operations(txn, layout, acl));
      PendingRequest sent = pending.add(completion);
      if (layout.hasRoom()) {
        call(OpCode.multi, operations, sent, reply -> endTransaction(sent, reply));
      } else {
        layout.makeRoom(
            created(txn),
            this::makeDirectory,
            () -> call(OpCode.multi, operations, sent, reply -> endTransaction(sent, reply)));
      }
    }
  }

  private void put(Request.Put put, Completion completion) {
    if (put.creates()) {
      create(put.key(), put.value(), CreateMode.PERSISTENT, completion);
    } else {
      var update = new SetDataRequest(layout.path(put.key()), put.value(), ANY_VERSION);
      send(OpCode.setData, update, pending.add(completion), UPDATED);
    }
  }

  private void create(byte[] key, byte[] value, CreateMode mode, Completion completion) {
    String path = layout.path(key);
    PendingRequest request = pending.add(completion);
    var creation = new CreateRequest(path, value, acl, mode.toFlag());
    if (layout.hasRoom()) {
      send(OpCode.create, creation, request, record -> created(path, record));
    } else {
      layout.makeRoom(
          key,
          this::makeDirectory,
          () -> send(OpCode.create, creation, request, record -> created(path, record)));
    }
  }

  private void makeDirectory(String path, Consumer<Boolean> exists) {
    var creation = new CreateRequest(path, NO_VALUE, acl, CreateMode.PERSISTENT.toFlag());
    connection.send(
        new ZooKeeperCall(
            OpCode.create,
            creation,
            reply -> exists.accept(reply.isOk() || reply.is(Code.NODEEXISTS))));
  }

  /** Creates a node that ends by itself, which servers allow only if they are configured to. */
  private void create(Request.CreateWithTtl create, Completion completion) {
    String path = layout.path(create.key());
    int mode = CreateMode.PERSISTENT_WITH_TTL.toFlag();
    var creation = new CreateTTLRequest(path, create.value(), acl, mode, create.ttl().toMillis());
    PendingRequest request = pending.add(completion);
    call(
        OpCode.createTTL,
        creation,
        request,
        reply ->
            end(
                request,
                reply.is(Code.UNIMPLEMENTED)
                    ? ZooKeeperReply.failed(Code.UNIMPLEMENTED, NO_TTL)
                    : reply,
                record -> created(path, record)));
  }

  private void get(Request.Get get, Completion completion) {
    String path = layout.path(get.key());
    PendingRequest request = synced(path, get.consistency(), completion);
    send(OpCode.getData, new GetDataRequest(path, false), request, READ);
  }

  /** Begins a read of a node, behind a sync if it has to return the latest state. */
  private PendingRequest synced(String path, ReadConsistency consistency, Completion completion) {
    PendingRequest request = pending.add(completion);
    if (consistency == ReadConsistency.LINEARIZABLE) {
      call(OpCode.sync, new SyncRequest(path), request, reply -> endFailed(request, reply));
    }
    return request;
  }

  private void children(Request.Range range, Completion completion) {
    String node = parent(layout, range);
    PendingRequest request = synced(node, range.consistency(), completion);
    send(
        OpCode.getChildren,
        new GetChildrenRequest(node, false),
        request,
        record -> entries(layout, range, ZooKeeperReply.children(record)));
  }

  /** Returns the node whose children have the keys of a range. */
  static String parent(NodeLayout layout, Request.Range range) {
    String path = "/" + layout.before(range.prefix());
    return path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }

  /** Returns those of the children of a node that have the prefix of a range. */
  static Answer entries(NodeLayout layout, Request.Range range, List<String> children) {
    String prefix = new String(range.prefix(), ISO_8859_1);
    String parent = layout.before(range.prefix());
    List<Answer.Entry> entries =
        children.stream()
            .map(name -> parent + name)
            .filter(key -> key.startsWith(prefix))
            .sorted()
            .map(key -> new Answer.Entry(key.getBytes(ISO_8859_1), NO_VALUE))
            .toList();
    return new Answer.Entries(entries.size(), entries);
  }

  private void compareAndSet(Request.CompareAndSet compared, Completion completion) {
    if (compared.revision() > Integer.MAX_VALUE) { // no node has such a version
      completion.answered(Answer.CONFLICT);
      return;
    }
    int version = (int) compared.revision();
    var update = new SetDataRequest(layout.path(compared.key()), compared.value(), version);
    PendingRequest request = pending.add(completion);
    call(
        OpCode.setData,
        update,
        request,
        reply -> {
          if (reply.is(Code.BADVERSION)) {
            request.end(told -> told.answered(Answer.CONFLICT));
          } else {
            end(request, reply, UPDATED);
          }
        });
  }

  /** Returns the keys that a transaction creates. */
  static Iterator<byte[]> created(Request.Txn txn) {
    return txn.puts().stream().filter(Request.Put::creates).map(Request.Put::key).iterator();
  }

  /** Returns the parts of a transaction. */
  static List<Op> operations(Request.Txn txn, NodeLayout layout, List<ACL> acl) {
    return Stream.concat(
            txn.puts().stream().map(put -> operation(put, layout.path(put.key()), acl)),
            txn.deletes().stream().map(key -> Op.delete(layout.path(key), ANY_VERSION)))
        .toList();
  }

  private static Op operation(Request.Put put, String path, List<ACL> acl) {
    return put.creates()
        ? Op.create(path, put.value(), acl, CreateMode.PERSISTENT)
        : Op.setData(path, put.value(), ANY_VERSION);
  }

  /** Returns the answer to a read; a node without content has an empty value. */
  static Answer found(byte @Nullable [] value, Stat stat) {
    return new Answer.Found(value == null ? new byte[0] : value, stat.getVersion());
  }

  private void send(int type, Record record, PendingRequest request, Meaning meaning) {
    call(type, record, request, reply -> end(request, reply, meaning));
  }

  private void call(
      int type, Record record, PendingRequest request, ZooKeeperCall.Outcome outcome) {
    if (!request.ended()) {
      connection.send(new ZooKeeperCall(type, record, request, outcome));
    }
  }

  private static void end(PendingRequest request, ZooKeeperReply reply, Meaning meaning)
      throws IOException {
    if (reply.isOk()) {
      Answer answer = meaning.of(reply.record());
      request.end(told -> told.answered(answer));
    } else {
      endFailed(request, reply);
    }
  }

  /** Ends the request if it failed; after a successful sync the read behind it ends the request. */
  static void endFailed(PendingRequest request, ZooKeeperReply reply) {
    if (reply.is(Code.NONODE)) {
      request.end(told -> told.answered(Answer.MISSING));
    } else if (!reply.isOk()) {
      request.end(reply::fail);
    }
  }

  /** Ends a transaction with the code of its first part that failed. */
  private static void endTransaction(PendingRequest request, ZooKeeperReply reply)
      throws IOException {
    if (!reply.isOk()) {
      endFailed(request, reply);
      return;
    }
    MultiResponse parts = new MultiResponse();
    parts.deserialize(reply.record(), "");
    for (OpResult part : parts) {
      if (part instanceof OpResult.ErrorResult error && error.getErr() != Code.OK.intValue()) {
        endFailed(request, ZooKeeperReply.failed(error.getErr(), ""));
        return;
      }
    }
    request.end(told -> told.answered(Answer.WRITTEN));
  }

  /**
   * Returns the answer to a create. The server returns the name of the node, which equals the
   * requested one, as no name is sequential.
   */
  private static Answer created(String path, InputArchive record) throws IOException {
    if (!path.equals(record.readString(""))) {
      throw new IOException("another node than the one asked for");
    }
    return CREATED;
  }

  private static Stat stat(InputArchive record) throws IOException {
    Stat stat = new Stat();
    stat.deserialize(record, "");
    return stat;
  }

  @Override
  public Optional<Executor> eventLoop() {
    return Optional.of(connection.loop());
  }

  @Override
  protected void end() {
    connection.close();
  }
}
