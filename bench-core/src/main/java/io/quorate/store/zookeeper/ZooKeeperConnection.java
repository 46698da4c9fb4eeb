// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslContext;
import io.quorate.QuorateException;
import io.quorate.store.DriverSettings;
import io.quorate.store.driver.ConnectionLimit;
import io.quorate.store.driver.EventLoops;
import io.quorate.store.driver.OneLine;
import io.quorate.store.driver.Reconnection;
import io.quorate.tls.TlsProblem;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.jute.Record;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.proto.AuthPacket;
import org.apache.zookeeper.proto.ConnectRequest;
import org.jspecify.annotations.Nullable;

/**
 * A session of ZooKeeper, on one channel at a time. When a channel is lost, the session is resumed
 * on another one, at the next server if there are several; a session that has expired is replaced
 * by a new one. Calls fail at once while there is no channel. Everything except the queue belongs
 * to the event loop.
 */
final class ZooKeeperConnection implements Reconnection.Owner, AutoCloseable {
  /** Timeout of sessions that only carry requests: a pause of the server must not end them. */
  static final Duration LONG = Duration.ofSeconds(20);

  static final ConnectionLimit LIMIT =
      new ConnectionLimit("maxClientCnxns of ZooKeeper, 60 by default");

  /** How long a server may take to show why it refuses a connection. */
  private static final Duration TLS_LIMIT = Duration.ofSeconds(2);

  private static final byte[] NO_PASSWORD = new byte[16];

  /** Receives what happens to a session, on the event loop. */
  interface Listener {
    Listener NONE = new Listener() {};

    /** Reports that calls can be sent: the session was opened or resumed. */
    default void connected() {}

    default void disconnected(String why) {}

    /** Reports that the server has ended the session. */
    default void expired() {}

    default void event(EventType type, String path, long zxid) {}

    /**
     * Reports an answer.
     *
     * @param sentNanos when the ping that it answers was sent; otherwise as the other time
     */
    default void heard(long sentNanos, long nanos) {}
  }

  /** Reads the reply to a call that {@link #call} waits for. */
  interface Reader<T> {
    T read(ZooKeeperReply reply) throws IOException;
  }

  private final DriverSettings settings;
  private final ZooKeeperAccess access;
  private final Listener listener;
  private final Reconnection connection;
  private final EventLoop loop;
  private final int servers;
  private final CompletableFuture<Void> ready = new CompletableFuture<>();
  private final Queue<ZooKeeperCall> queue = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean woken = new AtomicBoolean();

  /** The last channel; null before the first. */
  private @Nullable ZooKeeperChannel newest;

  /** The channel with the session; null while there is none. */
  private @Nullable ZooKeeperChannel channel;

  private volatile long session;
  private byte[] password = NO_PASSWORD;
  private volatile int timeoutMillis;
  private long lastZxid;
  private volatile String problem = "not connected";

  /**
   * @param members the servers in the order of attempts
   * @param timeout timeout of the session that the client requests
   */
  ZooKeeperConnection(
      List<DriverSettings> members,
      Duration timeout,
      EventLoops loops,
      Optional<SslContext> tls,
      Listener listener) {
    this.settings = members.get(0);
    this.servers = members.size();
    this.timeoutMillis = (int) timeout.toMillis();
    this.access = new ZooKeeperAccess(settings.access());
    this.listener = listener;
    this.connection = new Reconnection(members, loops, tls, this);
    this.loop = connection.loop();
  }

  /** Returns a session that only carries requests to one server, after it was opened. */
  static ZooKeeperConnection open(
      String id,
      DriverSettings settings,
      EventLoops loops,
      Optional<SslContext> tls,
      Listener listener) {
    var opened = new ZooKeeperConnection(List.of(settings), LONG, loops, tls, listener);
    try {
      opened.open(settings.connectTimeout());
      return opened;
    } catch (QuorateException late) {
      opened.close();
      throw new QuorateException(id + " at " + settings.endpoint() + ": " + late.getMessage());
    }
  }

  /** Connects, and waits until the session is open; fails if that takes too long. */
  void open(Duration limit) {
    loop.execute(connection::connect);
    try {
      ready.get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException late) {
      throw new QuorateException(
          "no session within %d ms (%s); %s".formatted(limit.toMillis(), problem, advice()));
    } catch (ExecutionException impossible) {
      throw new IllegalStateException(impossible);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new QuorateException("interrupted while connecting", stop);
    }
  }

  private String advice() {
    String host = settings.endpoint().host();
    int port = settings.endpoint().port();
    return settings
        .access()
        .tls()
        .flatMap(tls -> TlsProblem.ofConnection(tls, host, port, TLS_LIMIT))
        .orElseGet(
            () ->
                LIMIT.orElse(
                    "is the server running there, and has it a quorum?", settings.endpoint()));
  }

  EventLoop loop() {
    return loop;
  }

  ZooKeeperAccess access() {
    return access;
  }

  /** Returns the number of the session; 0 before it was opened. */
  long session() {
    return session;
  }

  int timeoutMillis() {
    return timeoutMillis;
  }

  long timeoutNanos() {
    return TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
  }

  /** Returns how long a server may take to open the session before the next one is tried. */
  long openMillis() {
    return Math.min(settings.connectTimeout().toMillis(), timeoutMillis / servers);
  }

  ConnectRequest connectRequest() {
    return new ConnectRequest(0, lastZxid, timeoutMillis, session, password, false);
  }

  @Nullable AuthPacket login() {
    return access.login();
  }

  @Override
  public void initialize(Channel made) {
    newest = new ZooKeeperChannel(this);
    made.pipeline().addLast(newest);
  }

  @Override
  public void unreachable(Throwable cause) {
    problem = OneLine.of(cause);
  }

  void opened(ZooKeeperChannel by, int grantedMillis, long number, byte[] secret) {
    channel = by;
    timeoutMillis = grantedMillis;
    session = number;
    password = secret;
    ready.complete(null);
    listener.connected();
  }

  /** Reports that the session of the next channel is a new one. */
  void expired() {
    session = 0;
    password = NO_PASSWORD;
    listener.expired();
  }

  /** Reports that no further call can be sent; those in flight may still end. Once. */
  void closed(ZooKeeperChannel lost, String why, boolean proven) {
    boolean connected = channel == lost;
    problem = why;
    if (connected) {
      channel = null;
      listener.disconnected(why);
    }
    connection.again(proven);
  }

  void event(EventType type, String path, long zxid) {
    listener.event(type, path, zxid);
  }

  void heard(long sentNanos, long nanos) {
    listener.heard(sentNanos, nanos);
  }

  void answered(long zxid) {
    lastZxid = Math.max(lastZxid, zxid);
  }

  /** Sends a call, from any thread. */
  void send(ZooKeeperCall call) {
    if (loop.inEventLoop()) {
      sendNow(call);
      return;
    }
    queue.add(call);
    if (woken.compareAndSet(false, true) && !onLoop(this::sendQueued)) {
      woken.set(false);
      for (ZooKeeperCall left = queue.poll(); left != null; left = queue.poll()) {
        lose(left);
      }
    }
  }

  private void sendQueued() {
    woken.set(false);
    for (ZooKeeperCall call = queue.poll(); call != null; call = queue.poll()) {
      sendNow(call);
    }
  }

  private void sendNow(ZooKeeperCall call) {
    if (channel == null) {
      lose(call);
    } else if (!call.ended()) {
      channel.send(call);
    }
  }

  private void lose(ZooKeeperCall call) {
    ZooKeeperChannel.end(call, ZooKeeperReply.failed(Code.CONNECTIONLOSS, problem));
  }

  /** Sends a call and returns what the reader returns for its reply. Not on the event loop. */
  <T> T call(int type, Record record, Reader<T> reader) {
    CompletableFuture<T> result = new CompletableFuture<>();
    send(new ZooKeeperCall(type, record, reply -> result.complete(reader.read(reply))));
    try {
      return result.join();
    } catch (CompletionException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Runs a task on the event loop; returns whether it could, as the loop may have ended. */
  boolean onLoop(Runnable task) {
    try {
      loop.execute(task);
      return true;
    } catch (RejectedExecutionException ended) {
      return false;
    }
  }

  /** Leaves the session to its timeout, as if this process had died. Does not wait. */
  void abandon() {
    end(ZooKeeperChannel::abandon);
  }

  /** Ends the session in the store. Does not wait. Idempotent. */
  @Override
  public void close() {
    end(ZooKeeperChannel::endSession);
  }

  private void end(Consumer<ZooKeeperChannel> how) {
    connection.stop();
    onLoop(
        () -> {
          problem = "closed";
          if (newest != null) {
            how.accept(newest);
          }
        });
  }
}
