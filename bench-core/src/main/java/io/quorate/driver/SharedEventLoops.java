package io.quorate.driver;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.TimeUnit;

/** The threads of all connections of one kind, which are there while a connection is open. */
final class SharedEventLoops {
  private final String threadName;
  private EventLoopGroup group;
  private int users;

  SharedEventLoops(String threadName) {
    this.threadName = threadName;
  }

  /** A loop for one connection. */
  synchronized EventLoop acquire() {
    if (users++ == 0) {
      group =
          new MultiThreadIoEventLoopGroup(
              Runtime.getRuntime().availableProcessors(),
              new DefaultThreadFactory(threadName, true),
              NioIoHandler.newFactory());
    }
    return group.next();
  }

  /** One connection does not need its loop any more; what it has scheduled is still done. */
  synchronized void release() {
    if (--users == 0) {
      group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
  }
}
