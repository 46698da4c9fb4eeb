// SPDX-License-Identifier: Apache-2.0
package io.quorate.network;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.DatagramPacket;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.quorate.TimerSlack;
import io.quorate.network.Direction.EarlyEvents;
import io.quorate.network.Direction.InFlightBytes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Simulates the links between machines that are in fact processes of this machine: it carries the
 * data that they send to each other. One thread does all the work. It waits on the timers of epoll,
 * with a precision of some ten microseconds.
 */
public final class Relay implements AutoCloseable {
  private static final int BACKLOG = 4096;

  /** Instead of a machine: the process has closed its end already. */
  private static final int CLOSED = -1;

  private final Routes routes;
  private final SocketOwners owners;
  private final Consumer<String> log;
  private final InFlightBytes buffered = new InFlightBytes();
  private final EventLoopGroup group;
  private final EventLoop loop;
  private final ExecutorService lookups =
      Executors.newSingleThreadExecutor(new DefaultThreadFactory("relay-owners", true));

  private Relay(RelayPlan plan, LinkBytes counts, Consumer<String> log) {
    this.routes = new Routes(plan, counts);
    this.owners =
        new SocketOwners(
            Path.of("/proc"),
            plan.machines().stream().map(machine -> Path.of(machine.directory())).toList());
    this.log = log;
    this.group =
        new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("relay", true), PersistentEpollHandler.newFactory());
    this.loop = group.next();
  }

  /**
   * Opens all gates.
   *
   * @param log receives messages about connections that cannot be carried
   * @throws IOException if one of them cannot be opened
   */
  public static Relay start(RelayPlan plan, Consumer<String> log)
      throws IOException, InterruptedException {
    return start(plan, LinkBytes.of(plan), log);
  }

  static Relay start(RelayPlan plan, LinkBytes counts, Consumer<String> log)
      throws IOException, InterruptedException {
    Relay relay = new Relay(plan, counts, log);
    try {
      relay.loop.submit(TimerSlack::ask).sync();
      Datagrams datagrams = relay.new Datagrams();
      for (RelayPlan.Gate gate : plan.gates()) {
        relay.open(gate);
        if (gate.datagrams()) {
          datagrams.open(gate);
        }
      }
      return relay;
    } catch (Exception failure) {
      relay.close();
      throw failure;
    }
  }

  private void open(RelayPlan.Gate gate) throws InterruptedException {
    new ServerBootstrap()
        .group(loop)
        .channel(EpollServerSocketChannel.class)
        .option(ChannelOption.SO_REUSEADDR, true)
        .option(ChannelOption.SO_BACKLOG, BACKLOG)
        .childOption(ChannelOption.AUTO_READ, false)
        .childOption(ChannelOption.TCP_NODELAY, true)
        .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
        .childHandler(
            new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel accepted) {
                accepted.pipeline().addLast(new EarlyEvents());
                accept(accepted, gate);
              }
            })
        .bind(gate.host(), gate.port())
        .sync();
  }

  private void accept(Channel accepted, RelayPlan.Gate gate) {
    long now = System.nanoTime();
    if (gate.source() != RelayPlan.BY_PROCESS) {
      loop.execute(() -> pass(accepted, gate, gate.source(), now));
      return;
    }
    lookups.execute(
        () -> {
          OptionalInt source = source(accepted);
          loop.execute(
              () -> {
                if (source.isPresent()) {
                  int known = source.getAsInt();
                  int machine = known == CLOSED ? routes.likelySource(gate.target()) : known;
                  pass(accepted, gate, machine, now);
                } else {
                  Direction.reset(accepted);
                }
              });
        });
  }

  /**
   * Returns the machine that opened a connection; empty if the plan has no such machine. A process
   * that closes its end at once cannot be found. Its data gets the delay of the farthest machine,
   * so that it does not arrive too early. ZooKeeper's members do this to request a connection back.
   * During a cut, such a request may arrive although it comes from the other side; the connection
   * back does not.
   */
  private OptionalInt source(Channel accepted) {
    try {
      InetSocketAddress from = (InetSocketAddress) accepted.remoteAddress();
      InetSocketAddress to = (InetSocketAddress) accepted.localAddress();
      OptionalInt source = owners.machine(from, to);
      if (source.isPresent()) {
        return source;
      }
      if (!owners.isOpen(from, to)) {
        return OptionalInt.of(CLOSED);
      }
      log.accept("refused a connection of a process that belongs to no member: " + accepted);
      return OptionalInt.empty();
    } catch (IOException | RuntimeException unknown) {
      log.accept("refused a connection, as its process cannot be found: " + unknown);
      return OptionalInt.empty();
    }
  }

  /** Connects to the target of a gate, unless an effect holds or refuses new connections. */
  private void pass(Channel accepted, RelayPlan.Gate gate, int source, long acceptedNanos) {
    Route forth = routes.between(source, gate.target());
    Route back = routes.between(gate.target(), source);
    if (forth.refuses() || back.refuses()) {
      Direction.reset(accepted);
    } else if (forth.isCut() || back.isCut()) {
      accepted.pipeline().get(EarlyEvents.class).dropAtEnd(accepted);
      (forth.isCut() ? forth : back)
          .whenRestored(() -> pass(accepted, gate, source, System.nanoTime()));
    } else if (accepted.isActive()) {
      connect(accepted, gate, source, acceptedNanos);
    }
  }

  private void connect(Channel accepted, RelayPlan.Gate gate, int source, long acceptedNanos) {
    new Bootstrap()
        .group(loop)
        .channel(EpollSocketChannel.class)
        .option(ChannelOption.AUTO_READ, false)
        .option(ChannelOption.TCP_NODELAY, true)
        .option(ChannelOption.ALLOW_HALF_CLOSURE, true)
        .handler(new ChannelInboundHandlerAdapter())
        .connect(gate.targetHost(), gate.port())
        .addListener(
            connecting -> {
              Channel connected = ((ChannelFuture) connecting).channel();
              if (connecting.isSuccess() && accepted.isActive()) {
                join(accepted, connected, gate, source, acceptedNanos);
              } else {
                Direction.reset(accepted);
                connected.close();
              }
            });
  }

  private void join(
      Channel accepted, Channel connected, RelayPlan.Gate gate, int source, long acceptedNanos) {
    Route forth = routes.between(source, gate.target());
    Route back = routes.between(gate.target(), source);
    if (forth.refuses() || back.refuses()) {
      Direction.reset(accepted);
      Direction.reset(connected);
      return;
    }
    // the first bytes arrive after the handshake of the connection
    long handshake = forth.link().roundTripNanos() * 3 / 2;
    long extra = 2 * forth.extraNanos() + back.extraNanos();
    Direction.join(accepted, connected, forth, back, buffered, acceptedNanos + handshake + extra);
    long life = forth.lifeNanos();
    if (life >= 0) {
      loop.schedule(
          () -> {
            Direction.reset(accepted);
            Direction.reset(connected);
          },
          life,
          TimeUnit.NANOSECONDS);
    }
  }

  /** Carries out an order; not from the event loop. */
  RelayReport carryOut(RelayOrder order) throws InterruptedException {
    return loop.submit(() -> routes.carryOut(order)).sync().getNow();
  }

  /** Closes all gates and connections. */
  @Override
  public void close() {
    lookups.shutdownNow();
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }

  /**
   * Carries datagrams between machines with one address each. A datagram at the gate of a machine
   * is sent on to this machine, after a delay, from the gate of the sender's machine. So answers
   * come through gates as well. For one thread.
   */
  private final class Datagrams {
    /** Most datagrams in flight; further ones are lost, as in a network. */
    private static final int MOST = 10_000;

    /** The gate of a machine, whose process receives datagrams at the target. */
    private record Gate(int machine, Channel channel, InetSocketAddress target) {}

    private final Map<InetAddress, Gate> gates = new HashMap<>();
    private int underway;

    /** Opens a gate; not from the event loop. */
    void open(RelayPlan.Gate planned) throws InterruptedException {
      InetSocketAddress target = new InetSocketAddress(planned.targetHost(), planned.port());
      Channel channel =
          new Bootstrap()
              .group(loop)
              .channel(EpollDatagramChannel.class)
              .handler(new Arrivals(planned.target()))
              .bind(planned.host(), planned.port())
              .sync()
              .channel();
      loop.submit(() -> gates.put(target.getAddress(), new Gate(planned.target(), channel, target)))
          .sync();
    }

    /** Receives what is sent to one machine. */
    private final class Arrivals extends SimpleChannelInboundHandler<DatagramPacket> {
      private final int machine;

      Arrivals(int machine) {
        super(false);
        this.machine = machine;
      }

      @Override
      protected void channelRead0(ChannelHandlerContext context, DatagramPacket packet) {
        Gate source = gates.get(packet.sender().getAddress());
        Gate target =
            gates.values().stream()
                .filter(gate -> gate.machine == machine)
                .findFirst()
                .orElse(null);
        if (source == null || target == null || underway >= MOST) {
          packet.release();
          return;
        }
        Route route = routes.between(source.machine, machine);
        long now = System.nanoTime();
        long arrival = route.arrivalNanos(now, packet.content().readableBytes());
        if (route.isCut()) {
          packet.release();
          return;
        }
        underway++;
        loop.schedule(
            () -> {
              underway--;
              source.channel.writeAndFlush(new DatagramPacket(packet.content(), target.target));
            },
            arrival - now,
            TimeUnit.NANOSECONDS);
      }

      @Override
      public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        // such as a port where no process listens yet: the datagram is lost
      }
    }
  }
}
