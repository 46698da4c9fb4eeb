// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.consul;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.orbitz.consul.Consul;
import com.orbitz.consul.ConsulException;
import com.orbitz.consul.model.ConsulResponse;
import com.orbitz.consul.model.kv.Value;
import com.orbitz.consul.model.session.ImmutableSession;
import com.orbitz.consul.option.QueryOptions;
import io.quorate.DaemonThreads;
import io.quorate.QuorateException;
import io.quorate.store.Answer;
import io.quorate.store.DriverSettings;
import io.quorate.store.ErrorKind;
import io.quorate.store.LockClient;
import io.quorate.store.Locks;
import io.quorate.store.SessionListener;
import io.quorate.store.driver.BlockingLock;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Locks of Consul's library, as Consul's guide describes them: all clients try to acquire one key
 * with their sessions, and those that fail wait with a blocking query until it has no session. So a
 * release wakes all waiters, and no order is kept. The library reports no fencing tokens.
 */
final class ConsulLibraryLocks implements Locks {
  private static final int NOT_FOUND = 404;
  private static final int RENEWALS_OF_TTL = 3;
  private static final int RENEWALS_AT_ONCE = 4;

  /** Longest requested wait of a blocking query. */
  private static final int WAIT_SECONDS = 60;

  private static final long CONSUL_EXTENDS_BY = 2;

  private final List<Consul> members;
  private final Duration ttl;
  private final Set<BlockingLock> open = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService renewals =
      Executors.newScheduledThreadPool(RENEWALS_AT_ONCE, DaemonThreads.named("consul-renewals"));

  ConsulLibraryLocks(List<DriverSettings> members, Duration ttl) {
    this.ttl = ttl;
    long longestMillis = TimeUnit.SECONDS.toMillis(CONSUL_EXTENDS_BY * WAIT_SECONDS);
    this.members =
        members.stream()
            .map(each -> ConsulLibraryConnection.builder(each, longestMillis).build())
            .toList();
  }

  @Override
  public LockClient open(int home, SessionListener listener) {
    Lock lock;
    try {
      lock = new Lock(members.get(home), listener);
    } catch (ConsulException refused) {
      throw new QuorateException("Consul opens no session: " + refused.getMessage(), refused);
    }
    BlockingLock client = new BlockingLock("consul-lock", lock, open);
    lock.renewLater();
    return client;
  }

  @Override
  public void close() {
    renewals.shutdownNow();
    List.copyOf(open).forEach(BlockingLock::abandon);
    members.forEach(Consul::destroy);
  }

  private final class Lock implements BlockingLock.Library {
    private final Consul consul;
    private final SessionListener listener;
    private final String session;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile Runnable interrupt = () -> {};

    /** The key of the lock; empty before the first. */
    private String key = "";

    Lock(Consul consul, SessionListener listener) {
      this.consul = consul;
      this.listener = listener;
      long sentNanos = System.nanoTime();
      this.session =
          consul
              .sessionClient()
              .createSession(
                  ImmutableSession.builder().ttl(ttl.toSeconds() + "s").lockDelay("0s").build())
              .getId();
      listener.renewed(sentNanos, System.nanoTime());
    }

    void renewLater() {
      try {
        renewals.schedule(this::renew, ttl.toNanos() / RENEWALS_OF_TTL, TimeUnit.NANOSECONDS);
      } catch (RejectedExecutionException afterClose) {
        ended.set(true);
      }
    }

    private void renew() {
      if (ended.get()) {
        return;
      }
      long sentNanos = System.nanoTime();
      boolean lives;
      try {
        lives = consul.sessionClient().renewSession(session).isPresent();
      } catch (ConsulException failure) {
        lives = failure.getCode() != NOT_FOUND;
        if (lives) {
          renewLater();
          return;
        }
      }
      if (lives) {
        listener.renewed(sentNanos, System.nanoTime());
        renewLater();
      } else if (end()) {
        interrupt.run();
        listener.lost("Consul knows no such session");
      }
    }

    @Override
    public long acquire(byte[] lock) throws InterruptedException {
      key = new String(lock, ISO_8859_1);
      BigInteger index = BigInteger.ZERO;
      while (!consul.keyValueClient().acquireLock(key, session)) {
        if (ended.get() || Thread.interrupted()) {
          throw new InterruptedException();
        }
        index = awaitFree(index);
      }
      return Answer.NO_REVISION;
    }

    /** Waits until the key has no session; returns the index from which on it has not. */
    private BigInteger awaitFree(BigInteger from) throws InterruptedException {
      BigInteger index = from;
      while (!ended.get()) {
        Optional<ConsulResponse<Value>> found =
            consul
                .keyValueClient()
                .getConsulResponseWithValue(
                    key, QueryOptions.blockSeconds(WAIT_SECONDS, index).build());
        if (found.isEmpty() || found.get().getResponse().getSession().isEmpty()) {
          return found.map(ConsulResponse::getIndex).orElse(BigInteger.ZERO);
        }
        index = found.get().getIndex();
      }
      throw new InterruptedException();
    }

    @Override
    public boolean release() {
      return consul.keyValueClient().releaseLock(key, session);
    }

    @Override
    public ErrorKind kind(Exception failure) {
      return failure instanceof ConsulException known
          ? ConsulLibraryConnection.kind(known)
          : ErrorKind.OTHER;
    }

    private boolean end() {
      return ended.compareAndSet(false, true);
    }

    @Override
    public void onLoss(Runnable stop) {
      interrupt = stop;
    }

    @Override
    public void abandon() {
      end();
    }

    @Override
    public void close() {
      if (end()) {
        DaemonThreads.start(
            "consul-lock-close",
            () -> {
              try {
                consul.sessionClient().destroySession(session);
              } catch (ConsulException later) {
                // it ends after its TTL
                return;
              }
            });
      }
    }
  }
}
