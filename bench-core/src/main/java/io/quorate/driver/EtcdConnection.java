package io.quorate.driver;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One connection to a member of etcd, made again when it is lost: at once, and then about once a
 * second. Calls fail at once while there is none. Everything but the queue belongs to the event
 * loop.
 */
final class EtcdConnection implements GrpcSession.Owner {
  private static final long PAUSE_NANOS = 1_000_000_000L;

  private final SharedEventLoops loops;
  private final EventLoop loop;
  private final Bootstrap bootstrap;
  private final CompletableFuture<Void> ready = new CompletableFuture<>();
  private final Queue<EtcdCall> queue = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean woken = new AtomicBoolean();
  private volatile boolean closed;

  /** Null while there is no connection. */
  private GrpcSession session;

  private Channel channel;

  private long attemptNanos;

  private String problem = "not connected";

  EtcdConnection(DriverSettings settings, SharedEventLoops loops) {
    this.loops = loops;
    this.loop = loops.acquire();
    this.bootstrap =
        new Bootstrap()
            .group(loop)
            .channel(NioSocketChannel.class)
            .remoteAddress(settings.endpoint().host(), settings.endpoint().port())
            .option(ChannelOption.TCP_NODELAY, true)
            .option(
                ChannelOption.CONNECT_TIMEOUT_MILLIS,
                (int) Math.min(Integer.MAX_VALUE, settings.connectTimeout().toMillis()))
            .handler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel made) {
                    String authority = settings.endpoint().toString();
                    made.pipeline().addLast(new GrpcSession(EtcdConnection.this, authority));
                  }
                });
    loop.execute(this::connect);
  }

  /** Completes when the server has said that it speaks HTTP/2; fails if it cannot be reached. */
  CompletableFuture<Void> ready() {
    return ready;
  }

  EventLoop loop() {
    return loop;
  }

  /** Does not block. */
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
        queue.clear(); // closed, which has ended the requests
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
      call.failed(ErrorKind.CONNECTION, problem); // closed, and the stream with it
    }
  }

  private void connect() {
    if (!closed) {
      attemptNanos = System.nanoTime();
      bootstrap.connect().addListener((ChannelFuture attempt) -> connected(attempt));
    }
  }

  private void connected(ChannelFuture attempt) {
    if (!attempt.isSuccess()) {
      problem = ConsulHttpConnection.oneLine(attempt.cause());
      ready.completeExceptionally(attempt.cause());
      connectLater();
    } else if (closed) {
      attempt.channel().close();
    } else {
      channel = attempt.channel();
    }
  }

  private void connectLater() {
    if (!closed) {
      loop.schedule(this::connect, PAUSE_NANOS, TimeUnit.NANOSECONDS);
    }
  }

  @Override
  public void opened(GrpcSession opened) {
    session = opened;
    ready.complete(null);
  }

  @Override
  public void closed(GrpcSession lost, String why) {
    boolean proven = session == lost;
    session = null;
    problem = why;
    // not again and again at a server that cuts each new connection at once
    if (proven || System.nanoTime() - attemptNanos > PAUSE_NANOS) {
      connect();
    } else {
      connectLater();
    }
  }

  /** Does not wait; the requests have been ended before. Once. */
  void close() {
    closed = true;
    try {
      loop.execute(this::closeChannel);
    } finally {
      loops.release();
    }
  }

  private void closeChannel() {
    queue.clear();
    if (channel != null) {
      channel.close();
    }
  }
}
