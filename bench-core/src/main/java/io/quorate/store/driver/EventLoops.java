// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.driver;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.local.LocalIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.quorate.store.StoreClient;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads of all connections of one {@link StoreClient}, one per CPU. They use epoll on Linux,
 * and the JDK's selectors on other systems.
 */
public final class EventLoops implements AutoCloseable {
  private static final int THREADS = Runtime.getRuntime().availableProcessors();
  private static final int END_SECONDS = 2;

  private final EventLoopGroup group;
  private final AtomicInteger connections = new AtomicInteger();

  private EventLoops(String threadName, IoHandlerFactory handlers) {
    group =
        new MultiThreadIoEventLoopGroup(
            THREADS, new DefaultThreadFactory(threadName, true), handlers);
  }

  public static EventLoops ofSockets(String threadName) {
    return new EventLoops(
        threadName, Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
  }

  /** Returns the kind of sockets that loops for connections over the network can wait on. */
  public static Class<? extends SocketChannel> socketType() {
    return Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class;
  }

  public static EventLoops withoutSockets(String threadName) {
    return new EventLoops(threadName, LocalIoHandler.newFactory());
  }

  public EventLoop next() {
    return group.next();
  }

  /** Returns the number of one more connection, from 0. */
  int connection() {
    return connections.getAndIncrement();
  }

  /**
   * Ends the threads after their queued work, such as the ends of sessions, which would be lost if
   * the process ended before. Waits for it, at most {@value #END_SECONDS} s, unless one of the
   * threads calls it.
   */
  @Override
  public void close() {
    Future<?> end = group.shutdownGracefully(0, END_SECONDS, TimeUnit.SECONDS);
    for (EventExecutor thread : group) {
      if (thread.inEventLoop()) {
        return;
      }
    }
    end.awaitUninterruptibly(END_SECONDS, TimeUnit.SECONDS);
  }
}
