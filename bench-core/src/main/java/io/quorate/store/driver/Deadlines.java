// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.driver;

import io.quorate.DaemonThreads;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Enforces the deadlines of all connections of one client library: a daemon thread that ends late
 * requests, and runs only while a connection is open. A request ends up to {@value #MIN_MILLIS} ms
 * after its deadline. The thread checks each connection when the next request may be late, at most
 * every {@value #MIN_MILLIS} ms and at least every {@value #MAX_MILLIS} ms, as ended requests use
 * memory until then. There are no timer entries per request.
 */
public final class Deadlines {
  private static final int MIN_MILLIS = 20;
  private static final int MAX_MILLIS = 200;
  private static final long MIN_NANOS = MIN_MILLIS * 1_000_000L;
  private static final long MAX_NANOS = MAX_MILLIS * 1_000_000L;

  private final Set<PendingRequests> connections = ConcurrentHashMap.newKeySet();
  private final String threadName;
  private @Nullable Thread sweeper;

  public Deadlines(String threadName) {
    this.threadName = threadName;
  }

  public synchronized void watch(PendingRequests connection) {
    connections.add(connection);
    if (sweeper == null) {
      sweeper = DaemonThreads.start(threadName, this::sweep);
    } else if (connection.timeoutNanos() < MAX_NANOS) {
      LockSupport.unpark(sweeper); // these deadlines may be earlier than what it waits for
    }
  }

  public synchronized void forget(PendingRequests connection) {
    connections.remove(connection);
  }

  private void sweep() {
    while (!isIdle()) {
      long now = System.nanoTime();
      long waitNanos = MAX_NANOS;
      for (PendingRequests connection : connections) {
        waitNanos = Math.min(waitNanos, expire(connection, now) - now);
      }
      LockSupport.parkNanos(Math.max(waitNanos, MIN_NANOS));
    }
  }

  /**
   * Ends late requests, and returns the time before which none becomes late. A completion that
   * throws, against its contract, does not affect other requests.
   */
  private static long expire(PendingRequests connection, long nowNanos) {
    try {
      return connection.expire(nowNanos);
    } catch (RuntimeException thrownByCompletion) {
      Thread current = Thread.currentThread();
      current.getUncaughtExceptionHandler().uncaughtException(current, thrownByCompletion);
      return nowNanos;
    }
  }

  private synchronized boolean isIdle() {
    if (connections.isEmpty()) {
      sweeper = null;
      return true;
    }
    return false;
  }
}
