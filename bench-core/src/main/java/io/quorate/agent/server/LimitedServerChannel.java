package io.quorate.agent.server;

import io.netty.channel.Channel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.util.List;

/** Closes connections that exceed the limits at once, before a byte of theirs is read. */
final class LimitedServerChannel extends NioServerSocketChannel {
  private final PeerConnections connections;

  LimitedServerChannel(PeerConnections connections) {
    this.connections = connections;
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
    if (!connections.admit(connection)) {
      accepted.remove(i);
      connection.unsafe().closeForcibly();
    }
  }
}
