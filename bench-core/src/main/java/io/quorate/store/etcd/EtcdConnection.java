// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.quorate.store.DriverSettings;
import io.quorate.store.ErrorKind;
import io.quorate.store.driver.EventLoops;
import io.quorate.store.driver.OneLine;
import io.quorate.store.driver.Reconnection;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Sends calls to one member of etcd, on one connection at a time. Calls fail at once while there is
 * no connection. Everything except the queue belongs to the event loop.
 */
final class EtcdConnection implements Reconnection.Owner {
  private final Reconnection connection;
  private final EventLoop loop;
  private final DriverSettings settings;
  private final EtcdAccess access;
  private final CompletableFuture<Void> ready = new CompletableFuture<>();
  private final Queue<EtcdCall> queue = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean woken = new AtomicBoolean();

  /** The session; null while there is no connection that can carry calls. */
  private @Nullable GrpcSession session;

  private String problem = "not connected";

  EtcdConnection(DriverSettings settings, EtcdAccess access, EventLoops loops) {
    this.settings = settings;
    this.access = access;
    this.connection = new Reconnection(settings, loops, access.tls(), this);
    this.loop = connection.loop();
    loop.execute(connection::connect);
  }

  @Override
  public void initialize(Channel made) {
    made.pipeline().addLast(new CoalescedWrites(), GrpcSession.of(this, settings, access));
  }

  /**
   * Returns a future that completes when the server has confirmed HTTP/2; it fails if the server
   * cannot be reached.
   */
  CompletableFuture<Void> ready() {
    return ready;
  }

  EventLoop loop() {
    return loop;
  }

  void send(EtcdCall call) {
    if (loop.inEventLoop()) {
      sendNow(call);
      return;
    }
    queue.add(call);
    if (woken.compareAndSet(false, true)) {
      try {
        loop.execute(this::sendQueued);
      } catch (RejectedExecutionException ended) {
        queue.clear(); // the connection is closed, which has ended the requests
      }
    }
  }

  private void sendQueued() {
    woken.set(false);
    for (EtcdCall call = queue.poll(); call != null; call = queue.poll()) {
      sendNow(call);
    }
  }

  private void sendNow(EtcdCall call) {
    if (session == null) {
      call.failed(ErrorKind.CONNECTION, problem);
    } else if (!call.request().ended()) {
      GrpcSession sending = session;
      sending.send(call);
      call.request().whenLate(() -> cancel(sending, call));
    }
  }

  private void cancel(GrpcSession sending, EtcdCall call) {
    try {
      loop.execute(() -> sending.cancel(call));
    } catch (RejectedExecutionException ended) {
      call.failed(ErrorKind.CONNECTION, problem); // the connection is closed, and so is the stream
    }
  }

  @Override
  public void unreachable(Throwable cause) {
    problem = OneLine.of(cause);
    ready.completeExceptionally(cause);
  }

  /** Reports that the server speaks HTTP/2: calls can be sent. */
  void opened(GrpcSession opened) {
    session = opened;
    ready.complete(null);
  }

  /** Reports that no further call can be sent; those in flight may still end. Once. */
  void closed(GrpcSession lost, String why) {
    boolean proven = session == lost;
    session = null;
    problem = why;
    ready.completeExceptionally(new IOException(why));
    connection.again(proven);
  }

  /** Closes the connection without waiting; the requests have been ended before. Once. */
  void close() {
    connection.close();
  }

  /**
   * Copies small writes into one buffer until they are flushed. An HTTP/2 connection writes several
   * pieces for each call, and many calls in one turn of the event loop. One buffer costs only one
   * entry in Netty's queue and one system call. Larger pieces pass as they are, in their order.
   */
  private static final class CoalescedWrites extends ChannelOutboundHandlerAdapter {
    private static final int SMALL_BYTES = 4 << 10;
    private static final int BUFFER_BYTES = 32 << 10;

    private @Nullable ByteBuf buffer;

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
      // the end of the connection reports that it cannot be sent
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
}
