package io.quorate.network;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps the data that one end of a connection sends before the other end is connected. Reading is
 * off, so this is little data: only what arrived with the end of its stream.
 */
final class EarlyEvents extends ChannelInboundHandlerAdapter {
  private final List<Object> reads = new ArrayList<>();
  private final List<Object> events = new ArrayList<>();

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    reads.add(message);
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    events.add(event);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    context.close();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    reads.forEach(ReferenceCountUtil::release);
    reads.clear();
  }

  /** Passes all of it to the handler that takes over. */
  void replay(ChannelHandlerContext context, Direction direction) {
    reads.forEach(message -> direction.channelRead(context, message));
    reads.clear();
    events.forEach(event -> direction.userEventTriggered(context, event));
  }
}
