// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.consul;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
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
import io.netty.handler.timeout.ReadTimeoutHandler;
import io.quorate.store.DriverSettings;
import io.quorate.store.Subscriptions;
import io.quorate.store.Watch;
import io.quorate.store.WatchListener;
import io.quorate.store.WatchSupport;
import io.quorate.store.driver.EventLoops;
import io.quorate.store.driver.OneLine;
import io.quorate.store.driver.Reconnection;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Watches one key, or all keys with a prefix, by repeated blocking queries: Consul answers such a
 * read when a key has changed since the index of the last answer, with all of them. So only the
 * last change of a key between an answer and the next query is reported. Everything belongs to the
 * event loop.
 */
final class ConsulWatch implements Reconnection.Owner {
  private static final int OK = 200;
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;

  /** Longest requested wait; Consul adds up to a sixteenth. */
  private static final int WAIT_SECONDS = 60;

  private static final int SILENCE_SECONDS = 75;

  private final DriverSettings settings;
  private final Watch watch;
  private final WatchListener listener;
  private final Reconnection connection;

  /** The channel; null while there is no connection. */
  private @Nullable Channel channel;

  private boolean proven;

  private boolean started;

  /** Set by another thread. */
  private volatile boolean closed;

  private long index;

  /** The revisions of the keys in the last answer. */
  private Map<String, Long> revisions = Map.of();

  private String problem = "the server closed the connection";

  private ConsulWatch(Stream stream, Watch watch, WatchListener listener) {
    this.settings = stream.settings;
    this.watch = watch;
    this.listener = listener;
    this.connection = new Reconnection(settings, stream.loops, stream.tls, this);
    connection.loop().execute(connection::connect);
  }

  @Override
  public void initialize(Channel made) {
    made.pipeline()
        .addLast(
            new ReadTimeoutHandler(SILENCE_SECONDS),
            new HttpClientCodec(),
            new HttpObjectAggregator(DriverSettings.MAX_MESSAGE_BYTES),
            new Answers());
  }

  @Override
  public void connected(Channel made) {
    proven = false;
    if (made.isActive()) {
      channel = made;
      ask();
    } else {
      connection.again(false);
    }
  }

  @Override
  public void unreachable(Throwable cause) {
    problem = OneLine.of(cause); // the query is repeated
  }

  private void ask() {
    if (channel == null || closed) {
      return;
    }
    String path =
        "/v1/kv/%s?%s%s"
            .formatted(
                ConsulOperation.escaped(watch.key()),
                watch.prefix() ? "recurse&" : "",
                index == 0 ? "" : "index=" + index + "&wait=" + WAIT_SECONDS + "s");
    var message =
        new DefaultFullHttpRequest(
            HttpVersion.HTTP_1_1, HttpMethod.GET, path, Unpooled.EMPTY_BUFFER);
    message.headers().set(HttpHeaderNames.HOST, settings.endpoint().toString());
    ConsulRequest.headers(settings.access()).forEach(message.headers()::set);
    channel.writeAndFlush(message).addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
  }

  private void answered(int status, String newIndex, byte[] body) throws IOException {
    if (status == FORBIDDEN && !started) {
      close();
      listener.failed("no right to read " + new String(watch.key(), ISO_8859_1));
      return;
    }
    if (status != OK && status != NOT_FOUND) { // such as no leader
      connection.loop().schedule(this::ask, 1, TimeUnit.SECONDS);
      return;
    }
    long next = newIndex == null ? 0 : Long.parseLong(newIndex);
    index = next < index ? 0 : Math.max(1, next); // an index that goes back means a new beginning
    List<ConsulEntries.Described> found = status == OK ? ConsulEntries.ofRead(body) : List.of();
    report(found);
    if (!started) {
      started = true;
      listener.started();
    }
    ask();
  }

  /** Reports the differences between the last answer and this one. */
  private void report(List<ConsulEntries.Described> found) {
    Map<String, Long> earlier = revisions;
    revisions =
        found.stream()
            .collect(
                Collectors.toMap(ConsulEntries.Described::key, ConsulEntries.Described::revision));
    if (!started) {
      return;
    }
    earlier.keySet().stream()
        .filter(each -> watch.prefix() && !revisions.containsKey(each))
        .forEach(each -> listener.removed(each.getBytes(ISO_8859_1)));
    found.stream()
        .filter(each -> !Long.valueOf(each.revision()).equals(earlier.get(each.key())))
        .sorted(Comparator.comparingLong(ConsulEntries.Described::revision))
        .forEach(
            each ->
                listener.changed(
                    each.key().getBytes(ISO_8859_1), each.found().value(), each.revision()));
  }

  private void lost() {
    channel = null;
    if (!closed) {
      if (started) {
        listener.interrupted(problem);
      }
      connection.again(proven);
    }
  }

  private void close() {
    closed = true;
    connection.close();
  }

  private final class Answers extends SimpleChannelInboundHandler<FullHttpResponse> {
    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpResponse answer)
        throws IOException {
      if (closed) {
        return;
      }
      proven = true;
      if (!HttpUtil.isKeepAlive(answer)) {
        context.close();
      }
      answered(
          answer.status().code(),
          answer.headers().get("X-Consul-Index"),
          ByteBufUtil.getBytes(answer.content()));
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

  /**
   * Watches of Consul, each of which is a blocking query on a separate connection: HTTP/1.1 carries
   * one request at a time. Listeners run on the event loops of the connections.
   */
  record Stream(
      DriverSettings settings,
      Optional<SslContext> tls,
      EventLoops loops,
      WatchSupport support,
      Queue<ConsulWatch> watches)
      implements Subscriptions {
    Stream(
        DriverSettings settings, Optional<SslContext> tls, EventLoops loops, WatchSupport support) {
      this(settings, tls, loops, support, new ConcurrentLinkedQueue<>());
    }

    @Override
    public void watch(Watch watch, WatchListener listener) {
      support.require(watch);
      watches.add(new ConsulWatch(this, watch, listener));
    }

    @Override
    public void unwatch(WatchListener listener) {
      for (ConsulWatch each : watches) {
        if (each.listener == listener && watches.remove(each)) {
          each.close();
        }
      }
    }

    @Override
    public void close() {
      for (ConsulWatch each = watches.poll(); each != null; each = watches.poll()) {
        each.close();
      }
    }
  }
}
