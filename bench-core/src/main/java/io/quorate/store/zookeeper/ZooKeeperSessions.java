// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import io.quorate.DaemonThreads;
import io.quorate.QuorateException;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.DriverSettings;
import io.quorate.store.ErrorKind;
import io.quorate.store.Session;
import io.quorate.store.SessionListener;
import io.quorate.store.Sessions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.zookeeper.AbandonableZooKeeper;
import org.apache.zookeeper.AnswerConfig;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.client.HostProvider;

/**
 * Sessions of ZooKeeper, whose library keeps them alive by pings and reconnects to the next member.
 * A lock is an ephemeral node; its fencing token is the zxid of its creation. Completions run on
 * the event thread of the session. A request without an answer fails when the connection is lost,
 * at the latest after two thirds of the TTL.
 */
final class ZooKeeperSessions implements Sessions {
  private static final int ANY_VERSION = -1;

  /** First part of the names of places, below the node of a lock. */
  private static final String PLACE = "/place-";

  private final List<DriverSettings> members;
  private final Duration ttl;
  private final ZooKeeperAccess access;
  private final Supplier<NodeLayout> layout;
  private final Set<Handle> open = ConcurrentHashMap.newKeySet();

  ZooKeeperSessions(
      List<DriverSettings> members,
      Duration ttl,
      ZooKeeperAccess access,
      Supplier<NodeLayout> layout) {
    this.members = List.copyOf(members);
    this.ttl = ttl;
    this.access = access;
    this.layout = layout;
  }

  @Override
  public Session open(int home, SessionListener listener) {
    Handle opened;
    try {
      opened = new Handle(home, listener);
    } catch (IOException wrong) {
      throw new QuorateException("cannot open a session: " + wrong.getMessage(), wrong);
    }
    open.add(opened);
    try {
      opened.awaitConnection(members.get(home));
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

  /**
   * Begins a session, and reports each answer to its listener.
   *
   * @param home number of the member that it uses first, from 0
   */
  static AbandonableZooKeeper begin(
      List<DriverSettings> members,
      int home,
      int ttlMillis,
      ZooKeeperAccess access,
      Watcher watcher,
      SessionListener listener)
      throws IOException {
    AnswerConfig config = new AnswerConfig(() -> renewed(listener));
    ZooKeeperSession.configure(config, access);
    try {
      var handle = new AbandonableZooKeeper(ttlMillis, watcher, new InTurn(members, home), config);
      access.logIn(handle);
      return handle;
    } catch (OutOfMemoryError noThread) {
      throw new IOException(noThread.getMessage(), noThread);
    }
  }

  /** Reports an answer; the library does not tell when it sent the ping. */
  private static void renewed(SessionListener listener) {
    long nanos = System.nanoTime();
    listener.renewed(nanos, nanos);
  }

  /** The members in turn, with a pause after each round, as the library expects. */
  private static final class InTurn implements HostProvider {
    private final List<InetSocketAddress> hosts;
    private int next;
    private int failed;

    InTurn(List<DriverSettings> members, int first) {
      this.hosts =
          members.stream()
              .map(DriverSettings::endpoint)
              .map(each -> new InetSocketAddress(each.host(), each.port()))
              .toList();
      this.next = first;
    }

    @Override
    public int size() {
      return hosts.size();
    }

    @Override
    public synchronized InetSocketAddress next(long pauseMillis) {
      if (failed > 0 && failed % hosts.size() == 0) {
        try {
          wait(Math.max(1, pauseMillis));
        } catch (InterruptedException stop) {
          Thread.currentThread().interrupt();
        }
      }
      failed++;
      InetSocketAddress host = hosts.get(next);
      next = (next + 1) % hosts.size();
      return host;
    }

    @Override
    public synchronized void onConnected() {
      failed = 0;
    }

    @Override
    public boolean updateServerList(
        Collection<InetSocketAddress> servers, InetSocketAddress current) {
      return false;
    }
  }

  /** A session and its handle. */
  final class Handle implements Session {
    private final SessionListener listener;
    private final CountDownLatch connected = new CountDownLatch(1);
    private final AtomicBoolean ended = new AtomicBoolean();
    private final AbandonableZooKeeper handle;

    private Handle(int home, SessionListener listener) throws IOException {
      this.listener = listener;
      access.sessionBegins();
      this.handle =
          begin(
              members,
              home,
              (int) ttl.toMillis(),
              access,
              event -> changed(event.getState()),
              listener);
    }

    private void changed(KeeperState state) {
      if (state == KeeperState.SyncConnected) {
        connected.countDown();
      } else if (state == KeeperState.Expired && end()) {
        listener.lost("the session has expired");
      }
    }

    private void awaitConnection(DriverSettings member) {
      Duration limit = member.requestTimeout();
      try {
        if (connected.await(limit.toNanos(), TimeUnit.NANOSECONDS)) {
          return;
        }
      } catch (InterruptedException stop) {
        Thread.currentThread().interrupt();
      }
      throw new QuorateException(ZooKeeperSession.noSession(member.endpoint(), limit));
    }

    /** Notes the end; returns whether it is the first one. */
    private boolean end() {
      boolean first = ended.compareAndSet(false, true);
      if (first) {
        open.remove(this);
        access.sessionEnded();
      }
      return first;
    }

    AbandonableZooKeeper handle() {
      return handle;
    }

    @Override
    public String id() {
      return "0x" + Long.toHexString(handle.getSessionId());
    }

    @Override
    public Duration ttl() {
      return Duration.ofMillis(handle.getSessionTimeout());
    }

    @Override
    public void acquire(byte[] key, Completion completion) {
      handle.create(
          layout.get().path(key),
          id().getBytes(US_ASCII),
          access.acl(),
          CreateMode.EPHEMERAL,
          (number, path, context, name, stat) -> {
            Code code = Code.get(number);
            if (code == Code.OK) {
              completion.answered(new Answer.Written(stat.getCzxid()));
            } else if (code == Code.NODEEXISTS) {
              completion.answered(Answer.CONFLICT);
            } else {
              failed(code, completion);
            }
          },
          null);
    }

    @Override
    public void release(byte[] key, Completion completion) {
      String node = layout.get().path(key);
      handle.exists(
          node,
          false,
          (number, path, context, stat) -> {
            Code code = Code.get(number);
            if (code == Code.NONODE
                || code == Code.OK && stat.getEphemeralOwner() != handle.getSessionId()) {
              completion.answered(Answer.MISSING);
            } else if (code == Code.OK) {
              delete(node, completion);
            } else {
              failed(code, completion);
            }
          },
          null);
    }

    /** Removes a node of this session: the server refuses that after the end of the session. */
    private void delete(String node, Completion completion) {
      handle.delete(
          node,
          ANY_VERSION,
          (number, path, context) -> {
            Code code = Code.get(number);
            if (code == Code.OK) {
              completion.answered(Answer.WRITTEN);
            } else if (code == Code.NONODE) {
              completion.answered(Answer.MISSING);
            } else {
              failed(code, completion);
            }
          },
          null);
    }

    @Override
    public void enqueue(byte[] lock, Completion completion) {
      enqueue(layout.get().path(lock), true, completion);
    }

    private void enqueue(String queue, boolean mayCreate, Completion completion) {
      handle.create(
          queue + PLACE,
          id().getBytes(US_ASCII),
          access.acl(),
          CreateMode.EPHEMERAL_SEQUENTIAL,
          (number, path, context, name, stat) -> {
            Code code = Code.get(number);
            if (code == Code.OK) {
              completion.answered(new Answer.Place(name.getBytes(ISO_8859_1), stat.getCzxid()));
            } else if (code == Code.NONODE && mayCreate) {
              createQueue(queue, completion);
            } else {
              failed(code, completion);
            }
          },
          null);
    }

    private void createQueue(String queue, Completion completion) {
      handle.create(
          queue,
          new byte[0],
          access.acl(),
          CreateMode.PERSISTENT,
          (number, path, context, name) -> {
            Code code = Code.get(number);
            if (code == Code.OK || code == Code.NODEEXISTS) {
              enqueue(queue, false, completion);
            } else {
              failed(code, completion);
            }
          },
          null);
    }

    @Override
    public void predecessor(byte[] lock, Answer.Place place, Completion completion) {
      String queue = layout.get().path(lock);
      String own = new String(place.key(), ISO_8859_1).substring(queue.length() + 1);
      handle.getChildren(
          queue,
          false,
          (int number, String path, Object context, List<String> children) -> {
            Code code = Code.get(number);
            if (code != Code.OK) {
              failed(code, completion);
            } else if (!children.contains(own)) {
              completion.failed(
                  ErrorKind.REJECTED, "the place in the queue does not exist any more");
            } else {
              // sequence numbers have ten digits, so their order is that of the names
              children.stream()
                  .filter(each -> each.compareTo(own) < 0)
                  .max(Comparator.naturalOrder())
                  .map(each -> (queue + "/" + each).getBytes(ISO_8859_1))
                  .ifPresentOrElse(
                      before -> completion.answered(new Answer.Place(before, Answer.NO_REVISION)),
                      () -> completion.answered(Answer.MISSING));
            }
          },
          null);
    }

    @Override
    public void awaitRemoval(Answer.Place place, Completion completion) {
      AtomicBoolean told = new AtomicBoolean();
      String path = new String(place.key(), ISO_8859_1);
      Watcher removal =
          event -> {
            if (event.getType() == Watcher.Event.EventType.NodeDeleted
                && told.compareAndSet(false, true)) {
              completion.answered(Answer.MISSING);
            } else if (event.getState() == KeeperState.Expired && told.compareAndSet(false, true)) {
              completion.failed(ErrorKind.REJECTED, "the session has expired");
            }
          };
      handle.exists(
          path,
          removal,
          (number, asked, context, stat) -> {
            Code code = Code.get(number);
            if (code == Code.NONODE && told.compareAndSet(false, true)) {
              completion.answered(Answer.MISSING);
            } else if (code != Code.OK && told.compareAndSet(false, true)) {
              failed(code, completion);
            }
          },
          null);
    }

    @Override
    public void leave(Answer.Place place, Completion completion) {
      delete(new String(place.key(), ISO_8859_1), completion);
    }

    private static void failed(Code code, Completion completion) {
      ErrorKind kind = ZooKeeperDriver.kind(code);
      completion.failed(kind, String.valueOf(code));
    }

    @Override
    public void abandon() {
      if (end()) {
        handle.abandon();
      }
    }

    @Override
    public void close() {
      if (end()) {
        DaemonThreads.start("zookeeper-session-close", handle::close);
      }
    }
  }
}
