// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.driver;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.epoll.Epoll;
import io.netty.handler.ssl.SslContext;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The TCP connection of a driver, reconnected when it is lost: at once, and then about once a
 * second. With several servers it moves to the next one each time, and pauses after a round.
 * Everything except {@link #loop}, {@link #stop} and {@link #close} belongs to the event loop.
 */
public final class Reconnection {
  /** The user of the connection. */
  public interface Owner {
    /** Adds handlers to a connection before it is opened. */
    void initialize(Channel made);

    /** Reports that the connection was opened; it may be lost already. */
    default void connected(Channel made) {}

    /** Reports that the connection could not be opened; a later attempt follows. */
    void unreachable(Throwable cause);
  }

  /** Connections of a client to this machine that come from one address. */
  static final int CONNECTIONS_OF_SOURCE = 10_000;

  private static final int SOURCES = 254;

  private static final long PAUSE_NANOS = 1_000_000_000L;

  /**
   * Time limit of each further attempt, so that one soon follows the end of an outage: TCP repeats
   * an unanswered packet after ever longer pauses.
   */
  private static final int AGAIN_MILLIS = 1_000;

  private final List<Endpoint> servers;
  private final Owner owner;
  private final EventLoop loop;
  private final Bootstrap first;
  private final Bootstrap further;
  private int attempts;

  /** Attempts since the last one that a server answered. */
  private int failures;

  private volatile boolean closed;

  /** The last channel; null before the first. */
  private @Nullable Channel channel;

  private boolean connecting;
  private long attemptNanos;
  private final int number;

  public Reconnection(
      DriverSettings settings, EventLoops loops, Optional<SslContext> tls, Owner owner) {
    this(List.of(settings), loops, tls, owner);
  }

  /**
   * @param members the servers, with the same settings, in the order of attempts
   */
  public Reconnection(
      List<DriverSettings> members, EventLoops loops, Optional<SslContext> tls, Owner owner) {
    this.servers = members.stream().map(DriverSettings::endpoint).toList();
    this.owner = owner;
    this.loop = loops.next();
    this.number = loops.connection();
    long connectMillis = members.get(0).connectTimeout().toMillis();
    int limitMillis = (int) Math.min(Integer.MAX_VALUE, connectMillis);
    this.first =
        new Bootstrap()
            .group(loop)
            .channel(EventLoops.socketType())
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, limitMillis)
            .handler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel made) {
                    Endpoint server = server();
                    tls.map(each -> each.newHandler(made.alloc(), server.host(), server.port()))
                        .ifPresent(made.pipeline()::addLast);
                    owner.initialize(made);
                  }
                });
    this.further =
        first
            .clone()
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, Math.min(limitMillis, AGAIN_MILLIS));
  }

  public EventLoop loop() {
    return loop;
  }

  public boolean isConnecting() {
    return connecting;
  }

  public void connect() {
    if (!closed) {
      connecting = true;
      attemptNanos = System.nanoTime();
      Bootstrap bootstrap = attempts == 0 ? first : further;
      attempts++;
      InetSocketAddress to = InetSocketAddress.createUnresolved(server().host(), server().port());
      bootstrap
          .connect(to, source(server().host(), number).orElse(null))
          .addListener((ChannelFuture attempt) -> connected(attempt));
    }
  }

  /**
   * Returns the address from which a connection to this machine comes, as each address has some
   * 28,000 ports to connect from; empty for the system's choice.
   */
  static Optional<InetSocketAddress> source(String server, int number) {
    int source = number / CONNECTIONS_OF_SOURCE % SOURCES;
    boolean isHere = server.startsWith("127.") || server.equals("localhost");
    // other systems have one address of loopback unless they are configured
    return source > 0 && isHere && Epoll.isAvailable()
        ? Optional.of(new InetSocketAddress("127.0.0." + (source + 1), 0))
        : Optional.empty();
  }

  private Endpoint server() {
    return servers.get(Math.floorMod(attempts - 1, servers.size()));
  }

  private void connected(ChannelFuture attempt) {
    connecting = false;
    if (!attempt.isSuccess()) {
      connectLater();
      owner.unreachable(attempt.cause());
    } else if (closed) {
      attempt.channel().close();
    } else {
      channel = attempt.channel();
      owner.connected(channel);
    }
  }

  /**
   * Opens another connection when this one is lost, or will be soon.
   *
   * @param proven whether the server had answered on it. If not, there is a pause, to avoid a busy
   *     loop with a server that closes each new connection at once
   */
  public void again(boolean proven) {
    if (proven || System.nanoTime() - attemptNanos > PAUSE_NANOS) {
      failures = 0;
      connect();
    } else {
      connectLater();
    }
  }

  private void connectLater() {
    failures++;
    if (failures % servers.size() != 0) {
      connect();
    } else if (!closed) {
      loop.schedule(this::connect, PAUSE_NANOS, TimeUnit.NANOSECONDS);
    }
  }

  /** Opens no further connection. */
  public void stop() {
    closed = true;
  }

  /** Closes the connection, without waiting. Once. */
  public void close() {
    stop();
    loop.execute(this::closeChannel);
  }

  private void closeChannel() {
    if (channel != null) {
      channel.close();
    }
  }
}
