// SPDX-License-Identifier: Apache-2.0
package io.quorate.network;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Carries data from one end of a connection to the other end, with a delay: bytes in their order,
 * the end of the stream, or a reset. It is the handler of the sending end; both ends are on one
 * event loop.
 */
final class Direction extends ChannelInboundHandlerAdapter {
  private static final long MIN_AHEAD_NANOS = 40_000;
  private static final long MAX_AHEAD_NANOS = 1_000_000;

  /** An event in flight. */
  private sealed interface Event {
    /** Bytes of the stream. */
    record Bytes(ByteBuf content) implements Event {}

    /** The stream has ended; the other direction may continue. */
    record End() implements Event {}

    /** The connection is lost. */
    record Reset() implements Event {}
  }

  private final Channel from;
  private final Channel to;
  private final Route route;
  private final InFlightBytes buffered;
  private final DelayLine<Event> line;
  private final boolean forth;
  private Direction other;
  private boolean ended;
  private boolean lost;
  private boolean delivered;
  private boolean waiting;

  @SuppressWarnings("NullAway.Init") // each is the other of the other, once both exist
  private Direction(
      Channel from,
      Channel to,
      boolean forth,
      Route route,
      InFlightBytes buffered,
      long earliestNanos) {
    this.from = from;
    this.to = to;
    this.forth = forth;
    this.route = route;
    this.buffered = buffered;
    this.line = new DelayLine<>(earliestNanos);
  }

  /**
   * Joins two channels of one event loop that do not read yet, and lets them read.
   *
   * @param accepted the end that has connected to the relay
   * @param forth route of the data that it sends
   * @param earliestNanos earliest arrival of its data
   */
  static void join(
      Channel accepted,
      Channel connected,
      Route forth,
      Route back,
      InFlightBytes buffered,
      long earliestNanos) {
    Direction first = new Direction(accepted, connected, true, forth, buffered, earliestNanos);
    Direction second = new Direction(connected, accepted, false, back, buffered, earliestNanos);
    first.other = second;
    second.other = first;
    forth.add(first);
    back.add(second);
    EarlyEvents early = accepted.pipeline().get(EarlyEvents.class);
    accepted.pipeline().replace(early, "direction", first);
    connected.pipeline().addLast(second);
    early.replay(accepted.pipeline().context(first), first);
    accepted.config().setAutoRead(true);
    connected.config().setAutoRead(true);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf content = (ByteBuf) message;
    if (ended || !to.isActive()) {
      content.release();
      return;
    }
    int held = content.capacity();
    long arrival = arrivalNanos(content.readableBytes());
    buffered.begin(held);
    line.add(new Event.Bytes(content), held, arrival);
    if (!buffered.mayTakeMore(line.bytes())) {
      from.config().setAutoRead(false);
    }
    await();
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event == ChannelInputShutdownEvent.INSTANCE) {
      end(new Event.End());
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    end(new Event.Reset());
    context.close();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    end(new Event.Reset());
    // nothing can be delivered here any more, so that nothing has to be held
    other.route.remove(other);
    other.deliver();
  }

  /** Resumes the other direction, whose target is the source of this one. */
  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    other.deliver();
  }

  private void end(Event how) {
    boolean reset = how instanceof Event.Reset;
    boolean over = ended && other.delivered; // both streams of this end, in an orderly way
    if (over || (reset ? lost : ended)) {
      return;
    }
    ended = true;
    lost |= reset;
    line.add(how, 0, arrivalNanos(0));
    await();
  }

  /** Returns when bytes that are being read now arrive at the other end. */
  private long arrivalNanos(int bytes) {
    return route.arrivalNanos(System.nanoTime(), bytes);
  }

  private void await() {
    OptionalLong next = line.nextNanos();
    if (waiting || next.isEmpty() || !mayDeliver()) {
      return; // otherwise when it is writable, or the route is restored
    }
    waiting = true;
    long left = next.getAsLong() - System.nanoTime();
    long ahead = buffered.isQuiet() ? aheadNanos(left) : 0;
    from.eventLoop()
        .schedule(
            () -> {
              waiting = false;
              spin(ahead);
              deliver();
            },
            Math.max(0, left - ahead),
            TimeUnit.NANOSECONDS);
  }

  /** Returns how much earlier to wake the thread: the longer it sleeps, the later it wakes. */
  private static long aheadNanos(long sleepNanos) {
    return Math.min(MAX_AHEAD_NANOS, MIN_AHEAD_NANOS + sleepNanos / 32);
  }

  /** Waits actively for events that arrive within a time. */
  private void spin(long mostNanos) {
    long next = line.nextNanos().orElse(System.nanoTime());
    for (long left = next - System.nanoTime();
        0 < left && left <= mostNanos;
        left = next - System.nanoTime()) {
      Thread.onSpinWait();
    }
  }

  /** Returns whether the other end takes data, or is closed, so that data is dropped. */
  private boolean mayDeliver() {
    return to.isWritable() && !route.isCut() || !to.isActive();
  }

  /** Delivers what has arrived. */
  void deliver() {
    boolean any = false;
    long now = System.nanoTime();
    while (mayDeliver()) {
      Optional<Event> event = line.poll(now);
      if (event.isEmpty()) {
        break;
      }
      any |= deliver(event.get());
    }
    if (any) {
      to.flush();
    }
    if (!from.config().isAutoRead() && buffered.mayTakeMore(2 * line.bytes())) {
      from.config().setAutoRead(true);
    }
    await();
  }

  /** Delivers an event, and returns whether bytes were written that have to be flushed. */
  private boolean deliver(Event event) {
    if (event instanceof Event.Bytes bytes) {
      buffered.end(bytes.content().capacity());
      to.write(bytes.content());
      return true;
    }
    if (event instanceof Event.Reset) {
      delivered = true;
      reset(to);
    } else {
      // after all bytes before it, which the other end may not have taken yet
      to.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(written -> shutDown());
    }
    return false;
  }

  private void shutDown() {
    delivered = true;
    if (other.delivered) {
      to.close();
      from.close();
    } else {
      ((DuplexChannel) to).shutdownOutput();
    }
  }

  /** Returns the end that has connected to the relay. */
  Channel accepted() {
    return forth ? from : to;
  }

  /** Resets both ends at once. */
  void reset() {
    reset(from);
    reset(to);
  }

  /** Closes a channel so that its other end receives a reset. */
  static void reset(Channel channel) {
    if (channel.isActive()) {
      channel.config().setOption(ChannelOption.SO_LINGER, 0);
    }
    channel.close();
  }

  /**
   * The items in flight of one direction of a connection, in their order: none overtakes another.
   * For one thread.
   */
  static final class DelayLine<T> {
    /** An item with its arrival time. */
    private record Underway<T>(T thing, int bytes, long arrivalNanos) {}

    private final ArrayDeque<Underway<T>> underway = new ArrayDeque<>();
    private long bytes;
    private long lastNanos;

    DelayLine(long earliestNanos) {
      this.lastNanos = earliestNanos;
    }

    /**
     * Adds an item of a size that arrives at a time, or with the previous item if that is later.
     */
    void add(T thing, int bytes, long arrivalNanos) {
      lastNanos = Math.max(lastNanos, arrivalNanos);
      underway.add(new Underway<>(thing, bytes, lastNanos));
      this.bytes += bytes;
    }

    /** Returns the next item that has arrived, and removes it; empty if none has. */
    Optional<T> poll(long nowNanos) {
      Underway<T> first = underway.peek();
      if (first == null || first.arrivalNanos > nowNanos) {
        return Optional.empty();
      }
      underway.remove();
      bytes -= first.bytes;
      return Optional.of(first.thing);
    }

    /** Returns when the next item arrives; empty if none is in flight. */
    OptionalLong nextNanos() {
      Underway<T> first = underway.peek();
      return first == null ? OptionalLong.empty() : OptionalLong.of(first.arrivalNanos);
    }

    long bytes() {
      return bytes;
    }
  }

  /**
   * Keeps the data that one end of a connection sends before the other end is connected. Reading is
   * off, so this is little data: only what arrived with the end of its stream.
   */
  static final class EarlyEvents extends ChannelInboundHandlerAdapter {
    private final List<Object> reads = new ArrayList<>();
    private final List<Object> events = new ArrayList<>();
    private boolean dropAtEnd;

    /** Closes the channel if its stream has ended, or when it ends, without being replayed. */
    void dropAtEnd(Channel channel) {
      dropAtEnd = true;
      if (!events.isEmpty()) {
        channel.close();
      }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      reads.add(message);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
      events.add(event);
      if (dropAtEnd && event == ChannelInputShutdownEvent.INSTANCE) {
        context.close();
      }
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

  /**
   * Counts the bytes that a relay holds in all directions together, and limits the bytes of each
   * direction. For one thread.
   */
  static final class InFlightBytes {
    /** Most bytes of a direction: enough for 160 MB/s at a round trip of 50 ms. */
    private static final long MAX_OF_ONE = 4 << 20;

    /** Most bytes of a direction while the relay holds more than {@link #MANY}. */
    private static final long LITTLE = 64 << 10;

    private static final long MANY = 128 << 20;

    /** Fewest items in flight with which the relay is busy. */
    private static final int BUSY = 5;

    private long bytes;
    private int things;

    void begin(long more) {
      bytes += more;
      things++;
    }

    void end(long fewer) {
      bytes -= fewer;
      things--;
    }

    /** Returns whether so little is in flight that the thread would mostly sleep. */
    boolean isQuiet() {
      return things < BUSY;
    }

    /** Returns whether a direction that holds this number of bytes may take more. */
    boolean mayTakeMore(long held) {
      return held < (bytes < MANY ? MAX_OF_ONE : LITTLE);
    }
  }
}
