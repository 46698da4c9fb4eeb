package io.quorate.network;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.socket.DatagramPacket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Carries datagrams between machines with one address each. A datagram at the gate of a machine is
 * sent on to this machine, after a delay, from the gate of the sender's machine. So answers come
 * through gates as well. For one thread.
 */
final class Datagrams {
  /** Most datagrams in flight; further ones are lost, as in a network. */
  private static final int MOST = 10_000;

  /** The gate of a machine, whose process receives datagrams at the target. */
  private record Gate(int machine, Channel channel, InetSocketAddress target) {}

  private final EventLoop loop;
  private final Wires wires;
  private final Map<InetAddress, Gate> gates = new HashMap<>();
  private int underway;

  Datagrams(EventLoop loop, Wires wires) {
    this.loop = loop;
    this.wires = wires;
  }

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
          gates.values().stream().filter(gate -> gate.machine == machine).findFirst().orElse(null);
      if (source == null || target == null || underway >= MOST) {
        packet.release();
        return;
      }
      underway++;
      long now = System.nanoTime();
      long arrival =
          wires
              .direction(source.machine, machine)
              .arrivalNanos(now, packet.content().readableBytes());
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
