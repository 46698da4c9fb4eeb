// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.handler.ssl.SslContext;
import io.quorate.QuorateException;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.DriverSettings;
import io.quorate.store.ErrorKind;
import io.quorate.store.Session;
import io.quorate.store.SessionListener;
import io.quorate.store.Sessions;
import io.quorate.store.driver.EventLoops;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.jute.Record;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.data.Stat;
import org.apache.zookeeper.proto.Create2Response;
import org.apache.zookeeper.proto.CreateRequest;
import org.apache.zookeeper.proto.DeleteRequest;
import org.apache.zookeeper.proto.ExistsRequest;
import org.apache.zookeeper.proto.GetChildrenRequest;

/**
 * Sessions of ZooKeeper, each with a connection: see {@link ZooKeeperConnection}. A lock is an
 * ephemeral node; its fencing token is the zxid of its creation. Completions run on the event loop
 * of the session. A request without an answer fails when the connection is lost, at the latest
 * after two thirds of the TTL.
 */
final class ZooKeeperSessions implements Sessions {
  /** First part of the names of places, below the node of a lock. */
  private static final String PLACE = "/place-";

  private final List<DriverSettings> members;
  private final Duration ttl;
  private final EventLoops loops;
  private final Optional<SslContext> tls;
  private final Supplier<NodeLayout> layout;
  private final Set<Handle> open = ConcurrentHashMap.newKeySet();

  ZooKeeperSessions(
      List<DriverSettings> members,
      Duration ttl,
      EventLoops loops,
      Optional<SslContext> tls,
      Supplier<NodeLayout> layout) {
    this.members = List.copyOf(members);
    this.ttl = ttl;
    this.loops = loops;
    this.tls = tls;
    this.layout = layout;
  }

  @Override
  public Session open(int home, SessionListener listener) {
    Handle opened = new Handle(home, listener);
    open.add(opened);
    try {
      opened.connection.open(
          members.get(home).requestTimeout().multipliedBy(members.size())); // tried in turn
      return opened;
    } catch (QuorateException late) {
      opened.close();
      throw late;
    }
  }

  @Override
  public void close() {
    open.forEach(Handle::abandon);
  }

  /** A session and its connection. */
  final class Handle implements Session, ZooKeeperConnection.Listener {
    private final SessionListener listener;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final ZooKeeperConnection connection;

    /** Those who wait for the removal of a node, by its path; belongs to the event loop. */
    private final Map<String, List<Completion>> removals = new HashMap<>();

    private Handle(int home, SessionListener listener) {
      this.listener = listener;
      List<DriverSettings> inTurn = new ArrayList<>(members);
      Collections.rotate(inTurn, -home);
      this.connection = new ZooKeeperConnection(inTurn, ttl, loops, tls, this);
    }

    ZooKeeperConnection connection() {
      return connection;
    }

    /** Looks again for nodes whose removal is awaited: the server forgets who waits. */
    @Override
    public void connected() {
      Map<String, List<Completion>> again = new HashMap<>(removals);
      removals.clear();
      again.forEach((path, waiting) -> waiting.forEach(each -> awaitRemoval(path, each)));
    }

    @Override
    public void heard(long sentNanos, long nanos) {
      listener.renewed(sentNanos, nanos);
    }

    @Override
    public void expired() {
      connection.abandon();
      removals.values().stream()
          .flatMap(List::stream)
          .forEach(each -> each.failed(ErrorKind.REJECTED, "the session has expired"));
      removals.clear();
      if (end()) {
        listener.lost("the session has expired");
      }
    }

    @Override
    public void event(EventType type, String path, long zxid) {
      List<Completion> waiting = removals.remove(path);
      if (waiting == null) {
        return;
      }
      for (Completion each : waiting) {
        if (type == EventType.NodeDeleted) {
          each.answered(Answer.MISSING);
        } else {
          awaitRemoval(path, each);
        }
      }
    }

    /** Notes the end; returns whether it is the first one. */
    private boolean end() {
      boolean first = ended.compareAndSet(false, true);
      if (first) {
        open.remove(this);
      }
      return first;
    }

    @Override
    public String id() {
      return "0x" + Long.toHexString(connection.session());
    }

    @Override
    public Duration ttl() {
      return Duration.ofMillis(connection.timeoutMillis());
    }

    private void send(int type, Record record, ZooKeeperCall.Outcome outcome) {
      connection.send(new ZooKeeperCall(type, record, outcome));
    }

    private void create(int type, String path, CreateMode mode, ZooKeeperCall.Outcome outcome) {
      byte[] content = mode.isEphemeral() ? id().getBytes(US_ASCII) : new byte[0];
      send(
          type,
          new CreateRequest(path, content, connection.access().acl(), mode.toFlag()),
          outcome);
    }

    @Override
    public void acquire(byte[] key, Completion completion) {
      create(
          OpCode.create2,
          layout.get().path(key),
          CreateMode.EPHEMERAL,
          reply -> {
            if (reply.isOk()) {
              completion.answered(new Answer.Written(created(reply).getStat().getCzxid()));
            } else if (reply.is(Code.NODEEXISTS)) {
              completion.answered(Answer.CONFLICT);
            } else {
              reply.fail(completion);
            }
          });
    }

    private static Create2Response created(ZooKeeperReply reply) throws IOException {
      Create2Response created = new Create2Response();
      created.deserialize(reply.record(), "");
      if (created.getPath() == null) {
        throw new IOException("a node without a name");
      }
      return created;
    }

    @Override
    public void release(byte[] key, Completion completion) {
      String node = layout.get().path(key);
      send(
          OpCode.exists,
          new ExistsRequest(node, false),
          reply -> {
            Stat stat = new Stat();
            if (reply.isOk()) {
              stat.deserialize(reply.record(), "");
            }
            if (!reply.isOk() && !reply.is(Code.NONODE)) {
              reply.fail(completion);
            } else if (stat.getEphemeralOwner() == connection.session()) {
              delete(node, completion);
            } else {
              completion.answered(Answer.MISSING);
            }
          });
    }

    /** Removes a node of this session: the server refuses that after the end of the session. */
    private void delete(String node, Completion completion) {
      send(
          OpCode.delete,
          new DeleteRequest(node, ZooKeeperDriver.ANY_VERSION),
          reply -> {
            if (reply.isOk()) {
              completion.answered(Answer.WRITTEN);
            } else if (reply.is(Code.NONODE)) {
              completion.answered(Answer.MISSING);
            } else {
              reply.fail(completion);
            }
          });
    }

    @Override
    public void enqueue(byte[] lock, Completion completion) {
      enqueue(layout.get().path(lock), true, completion);
    }

    private void enqueue(String queue, boolean mayCreate, Completion completion) {
      create(
          OpCode.create2,
          queue + PLACE,
          CreateMode.EPHEMERAL_SEQUENTIAL,
          reply -> {
            if (reply.isOk()) {
              Create2Response created = created(reply);
              byte[] name = created.getPath().getBytes(ISO_8859_1);
              completion.answered(new Answer.Place(name, created.getStat().getCzxid()));
            } else if (reply.is(Code.NONODE) && mayCreate) {
              createQueue(queue, completion);
            } else {
              reply.fail(completion);
            }
          });
    }

    private void createQueue(String queue, Completion completion) {
      create(
          OpCode.create,
          queue,
          CreateMode.PERSISTENT,
          reply -> {
            if (reply.isOk() || reply.is(Code.NODEEXISTS)) {
              enqueue(queue, false, completion);
            } else {
              reply.fail(completion);
            }
          });
    }

    @Override
    public void predecessor(byte[] lock, Answer.Place place, Completion completion) {
      String queue = layout.get().path(lock);
      String own = new String(place.key(), ISO_8859_1).substring(queue.length() + 1);
      send(
          OpCode.getChildren,
          new GetChildrenRequest(queue, false),
          reply -> {
            if (!reply.isOk()) {
              reply.fail(completion);
              return;
            }
            List<String> children = reply.children();
            if (!children.contains(own)) {
              completion.failed(
                  ErrorKind.REJECTED, "the place in the queue does not exist any more");
              return;
            }
            // other nodes do not wait; sequence numbers have ten digits, so names have their order
            children.stream()
                .filter(each -> each.startsWith(PLACE.substring(1)) && each.compareTo(own) < 0)
                .max(Comparator.naturalOrder())
                .map(each -> (queue + "/" + each).getBytes(ISO_8859_1))
                .ifPresentOrElse(
                    before -> completion.answered(new Answer.Place(before, Answer.NO_REVISION)),
                    () -> completion.answered(Answer.MISSING));
          });
    }

    @Override
    public void awaitRemoval(Answer.Place place, Completion completion) {
      awaitRemoval(new String(place.key(), ISO_8859_1), completion);
    }

    private void awaitRemoval(String path, Completion completion) {
      send(
          OpCode.exists,
          new ExistsRequest(path, true),
          reply -> {
            if (reply.isOk()) {
              removals.computeIfAbsent(path, any -> new ArrayList<>()).add(completion);
            } else if (reply.is(Code.NONODE)) {
              completion.answered(Answer.MISSING);
            } else {
              reply.fail(completion);
            }
          });
    }

    @Override
    public void leave(Answer.Place place, Completion completion) {
      delete(new String(place.key(), ISO_8859_1), completion);
    }

    @Override
    public void abandon() {
      if (end()) {
        connection.abandon();
      }
    }

    @Override
    public void close() {
      if (end()) {
        connection.close();
      }
    }
  }
}
