package io.quorate.agent;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.quorate.store.Endpoint;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;

/** How an agent is connected to: directly, one attempt, and quietly. */
final class AgentChannel {
  /** Greets on standard error otherwise; held, because a logger that is not forgets its level. */
  private static final Logger GREETING = Logger.getLogger("io.grpc.netty.TcpMetrics");

  /** Writes a stack trace about a host that is not known, of which we tell ourselves. */
  private static final Logger CHANNEL = Logger.getLogger("io.grpc.internal.ManagedChannelImpl");

  static {
    GREETING.setLevel(Level.WARNING);
    CHANNEL.setLevel(Level.SEVERE);
  }

  private AgentChannel() {}

  /** Without keys, it is not encrypted. */
  static ManagedChannel to(Endpoint agent, Optional<KeyDirectory> keys) {
    NettyChannelBuilder builder =
        NettyChannelBuilder.forAddress(agent.host(), agent.port())
            .maxInboundMessageSize(Protocol.MAX_REPLY_BYTES)
            .disableRetry();
    keys.ifPresentOrElse(
        given -> builder.sslContext(given.forLoadGenerator()), builder::usePlaintext);
    return builder.proxyDetector(any -> null).build();
  }
}
