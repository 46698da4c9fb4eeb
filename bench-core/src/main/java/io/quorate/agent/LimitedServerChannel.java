package io.quorate.agent;

import io.netty.channel.Channel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Closes connections above a number at once, before a byte of theirs is read. */
final class LimitedServerChannel extends NioServerSocketChannel {
  private final int most;
  private final AtomicInteger present = new AtomicInteger();

  LimitedServerChannel(int most) {
    this.most = most;
  }

  @Override
  protected int doReadMessages(List<Object> accepted) throws Exception {
    int count = super.doReadMessages(accepted);
    for (int i = accepted.size() - 1; i >= accepted.size() - count && i >= 0; i--) {
      limit(accepted, i);
    }
    return count;
  }

  private void limit(List<Object> accepted, int i) {
    Channel connection = (Channel) accepted.get(i);
    if (present.get() >= most) {
      accepted.remove(i);
      connection.unsafe().closeForcibly();
    } else {
      present.incrementAndGet();
      connection.closeFuture().addListener(closed -> present.decrementAndGet());
    }
  }
}
