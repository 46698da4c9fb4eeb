// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Stands between a driver and its server, and can be a bad network. */
public final class TcpProxy implements AutoCloseable {
  private final Endpoint server;
  private final ServerSocket listener;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final AtomicLong bytesToServer = new AtomicLong();
  private boolean frozen;
  private volatile boolean refusing;

  public TcpProxy(Endpoint server) throws IOException {
    this.server = server;
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  public Endpoint endpoint() {
    return new Endpoint("127.0.0.1", listener.getLocalPort());
  }

  /** Returns how many bytes have come for the server, over all connections. */
  public long bytesToServer() {
    return bytesToServer.get();
  }

  /** Returns how many connections are open. */
  public int connections() {
    return sockets.size() / 2;
  }

  /** Nothing passes from now on, in either direction; connections stay open. */
  public void freeze() {
    setFrozen(true);
  }

  /** Lets pass what was held back. */
  public void thaw() {
    setFrozen(false);
  }

  /** Cuts every connection, and each new one at once. */
  public void cut() {
    refusing = true;
    sockets.forEach(TcpProxy::close);
  }

  /** New connections pass again. */
  public void mend() {
    refusing = false;
  }

  @Override
  public void close() throws IOException {
    listener.close();
    cut();
    thaw();
  }

  private void setFrozen(boolean now) {
    lock.lock();
    try {
      frozen = now;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void awaitThaw() {
    lock.lock();
    try {
      while (frozen) {
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        if (refusing) {
          client.close();
          continue;
        }
        var upstream = new Socket();
        sockets.add(client);
        sockets.add(upstream);
        upstream.connect(
            new InetSocketAddress(server.host(), server.port()),
            (int) TimeUnit.SECONDS.toMillis(5));
        start(() -> pass(client, upstream, bytesToServer));
        start(() -> pass(upstream, client, new AtomicLong()));
        if (refusing) {
          cut();
        }
      } catch (IOException closed) {
        continue;
      }
    }
  }

  private void pass(Socket from, Socket to, AtomicLong bytes) {
    var buffer = new byte[1 << 16];
    try {
      InputStream in = from.getInputStream();
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        awaitThaw();
        bytes.addAndGet(count);
        to.getOutputStream().write(buffer, 0, count);
      }
    } catch (IOException cut) {
      // the end of one direction, for whatever reason, is the end of both
    } finally {
      close(from);
      close(to);
      sockets.remove(from);
      sockets.remove(to);
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException wrong) {
      throw new UncheckedIOException(wrong);
    }
  }

  private static void start(Runnable task) {
    var thread = new Thread(task, "tcp-proxy");
    thread.setDaemon(true);
    thread.start();
  }
}
