// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.consul;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.ssl.SslContext;
import io.netty.util.AsciiString;
import io.quorate.store.DriverSettings;
import io.quorate.store.ErrorKind;
import io.quorate.store.driver.EventLoops;
import io.quorate.store.driver.OneLine;
import io.quorate.store.driver.Reconnection;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Speaks Consul's HTTP interface on one separate connection. Everything except the queue belongs to
 * the event loop. When the connection is lost, a new one is opened at once, and then about once a
 * second. Requests wait while it is being opened, and fail at once in the pauses. When a request is
 * late, its connection is replaced without a pause: later requests have their own deadlines.
 */
final class ConsulHttpConnection implements ConsulConnection, Reconnection.Owner {
  private final Reconnection connection;
  private final EventLoop loop;
  private final Messages messages;
  private final Queue<ConsulRequest> queue = new ConcurrentLinkedQueue<>();

  /** The channel; null while there is no connection. */
  private @Nullable Channel channel;

  /** The unanswered request; null while the connection is free. */
  private @Nullable ConsulRequest current;

  /** When the connection became free for the next request. */
  private long freeNanos = System.nanoTime();

  private boolean proven;

  private String problem = "the server closed the connection";

  ConsulHttpConnection(DriverSettings settings, Optional<SslContext> tls, EventLoops loops) {
    this.messages =
        new Messages(
            AsciiString.of(settings.endpoint().toString()),
            AsciiString.of(ConsulRequest.token(settings.access())));
    this.connection = new Reconnection(settings, loops, tls, this);
    this.loop = connection.loop();
    loop.execute(connection::connect);
  }

  @Override
  public void initialize(Channel made) {
    made.pipeline()
        .addLast(
            new HttpClientCodec(),
            new HttpObjectAggregator(DriverSettings.MAX_MESSAGE_BYTES),
            new Answers());
  }

  @Override
  public void send(ConsulRequest request) {
    request.pending().queued();
    queue.add(request);
    // on the event loop as well, so that a client that sends repeatedly cannot block it
    wake();
  }

  private void wake() {
    try {
      loop.execute(this::next);
    } catch (RejectedExecutionException ended) {
      queue.clear(); // the connection is closed, which has ended the requests
    }
  }

  private void next() {
    if (current != null) {
      if (current.pending().ended() && channel != null) {
        // late: its answer must not be taken for the answer to the next request
        channel.close();
      }
      return;
    }
    for (ConsulRequest head = queue.peek();
        head != null && !connection.isConnecting();
        head = queue.peek()) {
      queue.remove();
      if (head.pending().ended()) {
        continue;
      }
      if (channel != null) {
        write(channel, head);
        return;
      }
      head.fail(ErrorKind.CONNECTION, problem);
      wake();
      return;
    }
  }

  private void write(Channel open, ConsulRequest request) {
    DefaultFullHttpRequest message;
    try {
      message = messages.of(request);
    } catch (RuntimeException refusal) {
      request.pending().endRefused(refusal);
      wake();
      return;
    }
    current = request;
    open.writeAndFlush(message).addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
    request.pending().sent(freeNanos);
    request.pending().whenLate(this::wake);
  }

  @Override
  public void connected(Channel made) {
    proven = false;
    freeNanos = System.nanoTime();
    // the connection may be lost already, and reported before this
    channel = made.isActive() ? made : null;
    if (channel == null) {
      connection.again(proven);
    }
    next();
  }

  @Override
  public void unreachable(Throwable cause) {
    problem = OneLine.of(cause);
    next();
  }

  private void lost() {
    channel = null;
    ConsulRequest cut = current;
    current = null;
    boolean closedAsLate = cut != null && cut.pending().ended();
    if (cut != null) {
      cut.fail(ErrorKind.CONNECTION, problem);
    }
    connection.again(proven || closedAsLate);
    next();
  }

  @Override
  public Optional<Executor> eventLoop() {
    return Optional.of(loop);
  }

  @Override
  public void close() {
    connection.close();
  }

  private final class Answers extends SimpleChannelInboundHandler<FullHttpResponse> {
    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpResponse answer) {
      ConsulRequest answered = current;
      if (answered == null || context.channel() != channel) {
        context.close();
        return;
      }
      current = null;
      freeNanos = System.nanoTime();
      proven = true;
      problem = "the server closed the connection";
      if (!HttpUtil.isKeepAlive(answer)) {
        context.close();
      }
      byte[] body = ByteBufUtil.getBytes(answer.content());
      ConsulAnswer.end(answered, answer.status().code(), body);
      next();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      problem = OneLine.of(cause);
      context.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      if (context.channel() == channel) {
        lost();
      }
    }
  }

  /** Creates the HTTP messages of requests to one Consul server; an empty token means no token. */
  record Messages(AsciiString host, AsciiString token) {
    private static final AsciiString TOKEN = AsciiString.cached(ConsulRequest.TOKEN);

    DefaultFullHttpRequest of(ConsulRequest request) {
      ConsulOperation operation = ConsulOperation.of(request);
      HttpMethod method = operation.method();
      ByteBuf body = Unpooled.wrappedBuffer(operation.body(request.asked()));
      String path = operation.path(request.asked());
      var message = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, method, path, body);
      message.headers().set(HttpHeaderNames.HOST, host);
      if (!token.isEmpty()) {
        message.headers().set(TOKEN, token);
      }
      if (method.equals(HttpMethod.PUT)) {
        message.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
      }
      return message;
    }
  }
}
