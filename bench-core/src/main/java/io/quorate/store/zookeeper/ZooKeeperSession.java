// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import io.quorate.DaemonThreads;
import io.quorate.QuorateException;
import io.quorate.store.Access;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import io.quorate.store.driver.ConnectionLimit;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.curator.CuratorZookeeperClient;
import org.apache.curator.ensemble.fixed.FixedEnsembleProvider;
import org.apache.curator.retry.RetryNTimes;
import org.apache.zookeeper.StampedNioSocket;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ZKConfig;
import org.jspecify.annotations.Nullable;

/**
 * A ZooKeeper session of Curator's low-level client, which opens a new session after the old one
 * has expired. Curator's framework would add two threads per session, and unwanted retries.
 */
public final class ZooKeeperSession implements Watcher, AutoCloseable {
  /**
   * Long session timeout, so that a pause of the server shows as latency and timeouts, not as lost
   * sessions. With the server's default tickTime of 2 s, up to 40 s are possible.
   */
  private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(20);

  private static final ConnectionLimit LIMIT =
      new ConnectionLimit("maxClientCnxns of ZooKeeper, 60 by default");

  private final String id;
  private final Endpoint endpoint;
  private final ZooKeeperAccess access;
  private final Duration connectTimeout;
  private final CuratorZookeeperClient client;
  private final CountDownLatch firstConnected = new CountDownLatch(1);

  private @Nullable ZooKeeper newest;

  private boolean closed;

  /** The connected handle; null while there is no connection. */
  private volatile @Nullable ZooKeeper handle;

  private ZooKeeperSession(
      String id, Endpoint endpoint, ZooKeeperAccess access, Duration connectTimeout) {
    this.access = access;
    this.id = id;
    this.endpoint = endpoint;
    this.connectTimeout = connectTimeout;
    access.sessionBegins();
    this.client =
        new CuratorZookeeperClient(
            this::newZooKeeper,
            new FixedEnsembleProvider(endpoint.toString()),
            (int) SESSION_TIMEOUT.toMillis(),
            (int) Math.min(SESSION_TIMEOUT.toMillis(), connectTimeout.toMillis()),
            this,
            new RetryNTimes(0, 0),
            false);
  }

  /** Opens a session of a store in plain text and waits until it is connected. */
  public static ZooKeeperSession open(String id, Endpoint endpoint, Duration connectTimeout) {
    return open(id, endpoint, ZooKeeperAccess.of(Access.PLAIN), connectTimeout);
  }

  static ZooKeeperSession open(
      String id, Endpoint endpoint, ZooKeeperAccess access, Duration connectTimeout) {
    var session = new ZooKeeperSession(id, endpoint, access, connectTimeout);
    try {
      session.connect();
      return session;
    } catch (QuorateException unreachable) {
      session.close();
      throw unreachable;
    }
  }

  private void connect() {
    String at = id + " at " + endpoint + ": ";
    try {
      client.start();
      if (!firstConnected.await(connectTimeout.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new QuorateException(at + noSession(endpoint, connectTimeout));
      }
    } catch (QuorateException late) {
      throw late;
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new QuorateException(at + "interrupted while connecting", stop);
    } catch (Exception wrong) { // as Curator declares it
      throw new QuorateException(at + wrong.getMessage(), wrong);
    }
  }

  /** Returns why a server has opened no session within a time, with advice. */
  static String noSession(Endpoint endpoint, Duration limit) {
    return "no session within %s ms; %s"
        .formatted(
            limit.toMillis(),
            LIMIT.orElse("is the server running there, and has it a quorum?", endpoint));
  }

  /** Returns the handle for requests; null while there is no connection. */
  public @Nullable ZooKeeper handle() {
    return handle;
  }

  /** Returns the handle for requests; fails without a connection. */
  ZooKeeper requireHandle() {
    ZooKeeper present = handle;
    if (present == null) {
      throw new QuorateException(id + " at " + endpoint + ": the connection was lost at once");
    }
    return present;
  }

  private synchronized ZooKeeper newZooKeeper(
      String connectString, int sessionTimeoutMillis, Watcher watcher, boolean readOnly)
      throws Exception {
    newest = new ZooKeeper(connectString, sessionTimeoutMillis, watcher, readOnly, config());
    access.logIn(newest);
    return newest;
  }

  private ZKClientConfig config() {
    var config = new ZKClientConfig();
    configure(config, access);
    return config;
  }

  /** Adds the settings of all sessions to a configuration. */
  static void configure(ZKClientConfig config, ZooKeeperAccess access) {
    config.setProperty(ZKClientConfig.ENABLE_CLIENT_SASL_KEY, "false");
    config.setProperty(ZKConfig.JUTE_MAXBUFFER, Integer.toString(DriverSettings.MAX_MESSAGE_BYTES));
    config.setProperty(
        ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, StampedNioSocket.class.getName());
    access.configure(config);
  }

  @Override
  public synchronized void process(WatchedEvent event) {
    if (client.isConnected() && !closed) {
      handle = newest;
      firstConnected.countDown();
    } else {
      handle = null;
    }
  }

  /**
   * Closes the session without waiting. The client library would wait for the server's answer and
   * then sleep for 100 ms, which is 100 s for a thousand sessions.
   */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    handle = null;
    DaemonThreads.start(id + "-close-" + endpoint, this::end);
  }

  private void end() {
    try {
      client.close();
    } finally {
      access.sessionEnded();
    }
  }
}
