// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import io.quorate.DaemonThreads;
import io.quorate.Pause;
import io.quorate.QuorateException;
import io.quorate.store.Answer;
import io.quorate.store.DriverSettings;
import io.quorate.store.ErrorKind;
import io.quorate.store.LockClient;
import io.quorate.store.Locks;
import io.quorate.store.SessionListener;
import io.quorate.store.driver.BlockingLock;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.HostProvider;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;

/**
 * Locks or elections of Curator's recipes, as applications use them: each client has a {@code
 * CuratorFramework} with the retries of Curator's documentation, and an {@code InterProcessMutex}
 * or a {@code LeaderLatch}. Curator reports no fencing tokens.
 */
final class CuratorLocks implements Locks {
  private static final int FIRST_RETRY_MILLIS = 1000;
  private static final int RETRIES = 3;

  private final List<DriverSettings> members;
  private final Duration ttl;
  private final LibraryAccess access;
  private final Supplier<NodeLayout> layout;
  private final BiFunction<CuratorFramework, String, Recipe> recipe;
  private final Set<BlockingLock> open = ConcurrentHashMap.newKeySet();

  CuratorLocks(
      List<DriverSettings> members,
      Duration ttl,
      LibraryAccess access,
      Supplier<NodeLayout> layout,
      BiFunction<CuratorFramework, String, Recipe> recipe) {
    this.members = List.copyOf(members);
    this.ttl = ttl;
    this.access = access;
    this.layout = layout;
    this.recipe = recipe;
  }

  /** A recipe of Curator in which one client at a time goes on. */
  interface Recipe {
    void acquire() throws Exception;

    /** Returns whether the client went on until now, if Curator detects that. */
    boolean release() throws Exception;

    static Recipe mutex(CuratorFramework curator, String path) {
      var mutex = new InterProcessMutex(curator, path);
      return new Recipe() {
        @Override
        public void acquire() throws Exception {
          mutex.acquire();
        }

        @Override
        public boolean release() throws Exception {
          mutex.release();
          return true;
        }
      };
    }

    static Recipe latch(CuratorFramework curator, String path) {
      var latch = new LeaderLatch(curator, path);
      return new Recipe() {
        @Override
        public void acquire() throws Exception {
          latch.start();
          latch.await();
        }

        @Override
        public boolean release() throws IOException {
          boolean leads = latch.hasLeadership();
          latch.close(); // does not wait until the servers have removed the node
          return leads;
        }
      };
    }
  }

  @Override
  public LockClient open(int home, SessionListener listener) {
    Holder holder = new Holder(home, listener);
    BlockingLock client = new BlockingLock("zookeeper-lock", holder, open);
    try {
      holder.connect(members.get(home));
      return client;
    } catch (QuorateException late) {
      client.close();
      throw late;
    }
  }

  @Override
  public void close() {
    List.copyOf(open).forEach(BlockingLock::abandon);
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
        Pause.until(() -> wait(Math.max(1, pauseMillis)));
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

  /** A client with its session. */
  private final class Holder implements BlockingLock.Library {
    private final CuratorFramework curator;

    /** As the framework makes it, but the framework does not end it. */
    private final ExecutorService notifications =
        Executors.newSingleThreadExecutor(DaemonThreads.named("curator-notifications"));

    private final AtomicBoolean ended = new AtomicBoolean();

    /** The last handle, guarded by this; null before the start. */
    private @Nullable AbandonableZooKeeper handle;

    private volatile Runnable interrupt = () -> {};

    /** What it holds, or waits for; null before the first. */
    private @Nullable Recipe held;

    Holder(int home, SessionListener listener) {
      access.sessionBegins();
      this.curator =
          CuratorFrameworkFactory.builder()
              .connectString(members.get(home).endpoint().toString())
              .sessionTimeoutMs((int) ttl.toMillis())
              .connectionTimeoutMs((int) members.get(home).connectTimeout().toMillis())
              .retryPolicy(new ExponentialBackoffRetry(FIRST_RETRY_MILLIS, RETRIES))
              .ensembleTracker(false)
              .runSafeService(notifications)
              .aclProvider(
                  new ACLProvider() {
                    @Override
                    public List<ACL> getDefaultAcl() {
                      return access.acl();
                    }

                    @Override
                    public List<ACL> getAclForPath(String path) {
                      return access.acl();
                    }
                  })
              .zookeeperFactory(
                  (connect, timeout, watcher, readOnly) -> connect(home, timeout, watcher))
              .build();
      curator
          .getConnectionStateListenable()
          .addListener(
              (any, state) -> {
                if (state == ConnectionState.LOST && end()) {
                  interrupt.run();
                  listener.lost("Curator has lost the session");
                  closeLater();
                }
              });
    }

    /**
     * Makes a handle. When that was closed, Curator asks for another one, and does not close it.
     */
    private synchronized ZooKeeper connect(int home, int timeoutMillis, Watcher watcher)
        throws IOException {
      if (ended.get()) {
        throw new IOException("closed");
      }
      handle = access.begin(new InTurn(members, home), timeoutMillis, watcher);
      return handle;
    }

    void connect(DriverSettings member) {
      Duration limit = member.requestTimeout();
      curator.start();
      try {
        if (curator.blockUntilConnected((int) limit.toMillis(), TimeUnit.MILLISECONDS)) {
          return;
        }
      } catch (InterruptedException stop) {
        Thread.currentThread().interrupt();
      }
      throw new QuorateException("no session within " + limit.toMillis() + " ms");
    }

    @Override
    public long acquire(byte[] lock) throws Exception {
      held = recipe.apply(curator, layout.get().path(lock));
      held.acquire();
      return Answer.NO_REVISION;
    }

    @Override
    public void onLoss(Runnable stop) {
      interrupt = stop;
    }

    @Override
    public boolean release() throws Exception {
      return Objects.requireNonNull(held).release();
    }

    @Override
    public ErrorKind kind(Exception failure) {
      return failure instanceof KeeperException known
          ? ZooKeeperCode.kind(known.code())
          : ErrorKind.OTHER;
    }

    /** Notes the end; returns whether it is the first one. */
    private boolean end() {
      boolean first = ended.compareAndSet(false, true);
      if (first) {
        access.sessionEnded();
      }
      return first;
    }

    @Override
    public void abandon() {
      if (end()) {
        AbandonableZooKeeper last = last();
        if (last != null) {
          last.abandon();
        }
        closeLater(); // tells nothing without a connection
      }
    }

    @Override
    public void close() {
      if (end()) {
        closeLater();
      }
    }

    private void closeLater() {
      DaemonThreads.start("zookeeper-lock-close", this::closeNow);
    }

    private void closeNow() {
      curator.close();
      notifications.shutdown();
      AbandonableZooKeeper last = last();
      if (last != null) {
        last.close(); // Curator does not close a handle that it is replacing
      }
    }

    private synchronized @Nullable AbandonableZooKeeper last() {
      return handle;
    }
  }
}
