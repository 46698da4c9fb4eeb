package io.quorate.store;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Enforces the deadlines of all connections of one client library: a daemon thread that ends late
 * requests, and runs only while a connection is open. A request is told up to {@value
 * #PERIOD_MILLIS} ms after its deadline; the price is one look at each connection in that period,
 * and no timer entry per request.
 */
public final class Deadlines {
  private static final int PERIOD_MILLIS = 20;

  private final Set<PendingRequests> connections = ConcurrentHashMap.newKeySet();
  private final String threadName;
  private Thread sweeper;

  public Deadlines(String threadName) {
    this.threadName = threadName;
  }

  public synchronized void watch(PendingRequests connection) {
    connections.add(connection);
    if (sweeper == null) {
      sweeper = new Thread(this::sweep, threadName);
      sweeper.setDaemon(true);
      sweeper.start();
    }
  }

  public synchronized void forget(PendingRequests connection) {
    connections.remove(connection);
  }

  private void sweep() {
    while (!isIdle()) {
      LockSupport.parkNanos(PERIOD_MILLIS * 1_000_000L);
      long now = System.nanoTime();
      for (PendingRequests connection : connections) {
        expire(connection, now);
      }
    }
  }

  /**
   * Ends late requests; a completion that throws, which it must not, does not stop the clock for
   * all others.
   */
  private static void expire(PendingRequests connection, long nowNanos) {
    try {
      connection.expire(nowNanos);
    } catch (RuntimeException thrownByCompletion) {
      Thread current = Thread.currentThread();
      current.getUncaughtExceptionHandler().uncaughtException(current, thrownByCompletion);
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
