package io.quorate.store;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.local.LocalIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * The threads of all connections of one kind. They are there while a connection is open and a
 * moment longer, since the next step of a load opens others.
 */
public final class SharedEventLoops {
  private static final int THREADS = Runtime.getRuntime().availableProcessors();

  private static final int GRACE_SECONDS = 2;

  private final String threadName;
  private final IoHandlerFactory handlers;
  private EventLoopGroup group;
  private int users;

  private SharedEventLoops(String threadName, IoHandlerFactory handlers) {
    this.threadName = threadName;
    this.handlers = handlers;
  }

  /** For connections over the network. */
  public static SharedEventLoops ofSockets(String threadName) {
    return new SharedEventLoops(threadName, NioIoHandler.newFactory());
  }

  /** For connections within this process. */
  public static SharedEventLoops withoutSockets(String threadName) {
    return new SharedEventLoops(threadName, LocalIoHandler.newFactory());
  }

  /** A loop for one connection. */
  public synchronized EventLoop acquire() {
    users++;
    if (group == null) {
      group =
          new MultiThreadIoEventLoopGroup(
              THREADS, new DefaultThreadFactory(threadName, true), handlers);
    }
    return group.next();
  }

  /** One connection does not need its loop any more; what it has scheduled is still done. */
  public synchronized void release() {
    if (--users == 0) {
      EventLoopGroup idle = group;
      idle.schedule(() -> endIfIdle(idle), GRACE_SECONDS, TimeUnit.SECONDS);
    }
  }

  private synchronized void endIfIdle(EventLoopGroup idle) {
    if (users == 0 && group == idle) {
      group = null;
      idle.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
  }
}
