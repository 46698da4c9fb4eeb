// SPDX-License-Identifier: Apache-2.0
package io.quorate.network;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollIoOps;

/**
 * Waits on epoll as Netty does, but keeps idle sockets registered. Netty 4.2.15 removes these from
 * epoll, and then fails to register them again. This affects an end of a connection that has ended
 * its stream, or from which nothing is read for a while.
 */
record PersistentEpollHandler(IoHandler epoll) implements IoHandler {
  static IoHandlerFactory newFactory() {
    IoHandlerFactory factory = EpollIoHandler.newFactory();
    return executor -> new PersistentEpollHandler(factory.newHandler(executor));
  }

  /** A socket that stays registered. */
  private record Steady(IoRegistration socket) implements IoRegistration {
    @Override
    public <T> T attachment() {
      return socket.attachment();
    }

    @Override
    public long submit(IoOps ops) {
      // no other events; so the end of its stream is reported once, not repeatedly
      return socket.submit(ops.equals(EpollIoOps.NONE) ? EpollIoOps.EPOLLET : ops);
    }

    @Override
    public boolean isValid() {
      return socket.isValid();
    }

    @Override
    public boolean cancel() {
      return socket.cancel();
    }
  }

  @Override
  public IoRegistration register(IoHandle handle) throws Exception {
    return new Steady(epoll.register(handle));
  }

  @Override
  public void initialize() {
    epoll.initialize();
  }

  @Override
  public int run(IoHandlerContext context) {
    return epoll.run(context);
  }

  @Override
  public void prepareToDestroy() {
    epoll.prepareToDestroy();
  }

  @Override
  public void destroy() {
    epoll.destroy();
  }

  @Override
  public boolean isCompatible(Class<? extends IoHandle> handleType) {
    return epoll.isCompatible(handleType);
  }

  @Override
  public void wakeup() {
    epoll.wakeup();
  }
}
