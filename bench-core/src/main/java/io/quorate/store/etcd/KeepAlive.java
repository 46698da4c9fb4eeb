package io.quorate.store.etcd;

import io.netty.channel.ChannelHandlerContext;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Keeps watch over a connection on which answers are awaited: asks for a ping when the server has
 * been silent for long, and reports the server when it does not answer that either. Belongs to the
 * event loop of the connection.
 */
final class KeepAlive {
  /**
   * Silence after which a ping is sent: etcd refuses pings that come more often than every five
   * seconds.
   */
  private static final long SILENCE_SECONDS = 10;

  private final ChannelHandlerContext context;
  private final BooleanSupplier awaitsAnswers;
  private final Runnable ping;
  private final Consumer<String> lost;
  private boolean heard;
  private boolean pinged;

  /**
   * @param ping sends a ping
   * @param lost is told why the connection is of no use any more
   */
  KeepAlive(
      ChannelHandlerContext context,
      BooleanSupplier awaitsAnswers,
      Runnable ping,
      Consumer<String> lost) {
    this.context = context;
    this.awaitsAnswers = awaitsAnswers;
    this.ping = ping;
    this.lost = lost;
  }

  /** Starts to watch, until the connection ends. */
  void start() {
    context.executor().schedule(this::check, SILENCE_SECONDS, TimeUnit.SECONDS);
  }

  /** Notes that the server has sent something. */
  void heard() {
    heard = true;
  }

  private void check() {
    if (!context.channel().isActive()) {
      return;
    }
    if (pinged && !heard) {
      lost.accept("the server did not answer a ping within " + SILENCE_SECONDS + " s");
      return;
    }
    pinged = !heard && awaitsAnswers.getAsBoolean();
    if (pinged) {
      ping.run();
    }
    heard = false;
    start();
  }
}
