package io.quorate.store.etcd;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;

/**
 * Copies small writes into one buffer until they are flushed. An HTTP/2 connection writes several
 * pieces for each call, and many calls in one turn of the event loop: one buffer costs one entry in
 * Netty's queue and one system call. Larger pieces pass as they are, in their order.
 */
final class CoalescedWrites extends ChannelOutboundHandlerAdapter {
  private static final int SMALL_BYTES = 4 << 10;
  private static final int BUFFER_BYTES = 32 << 10;

  private ByteBuf buffer;

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    ByteBuf bytes = (ByteBuf) message;
    int size = bytes.readableBytes();
    if (size > SMALL_BYTES || buffer != null && buffer.writableBytes() < size) {
      pass(ctx);
    }
    if (size > SMALL_BYTES) {
      ctx.write(bytes, promise);
      return;
    }
    if (buffer == null) {
      buffer = ctx.alloc().ioBuffer(BUFFER_BYTES, BUFFER_BYTES);
    }
    buffer.writeBytes(bytes);
    bytes.release();
    // that it cannot be sent is told by the end of the connection
    promise.trySuccess();
  }

  @Override
  public void flush(ChannelHandlerContext ctx) {
    pass(ctx);
    ctx.flush();
  }

  @Override
  public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
    pass(ctx);
    ctx.close(promise);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    if (buffer != null) {
      buffer.release();
      buffer = null;
    }
  }

  private void pass(ChannelHandlerContext ctx) {
    if (buffer != null) {
      ByteBuf full = buffer;
      buffer = null;
      ctx.write(full);
    }
  }
}
