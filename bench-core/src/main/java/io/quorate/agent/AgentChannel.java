package io.quorate.agent;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.quorate.store.Endpoint;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Opens a gRPC channel to an agent: a direct connection, a single attempt, and no log output. */
final class AgentChannel {
  /**
   * Logger that otherwise prints a greeting to standard error; held, because an unreferenced logger
   * loses its level.
   */
  private static final Logger GREETING = Logger.getLogger("io.grpc.netty.TcpMetrics");

  /** Logger that prints a stack trace about an unknown host, which we report ourselves. */
  private static final Logger CHANNEL = Logger.getLogger("io.grpc.internal.ManagedChannelImpl");

  static {
    GREETING.setLevel(Level.WARNING);
    CHANNEL.setLevel(Level.SEVERE);
  }

  private AgentChannel() {}

  /** Returns a channel to an agent, without encryption if there are no keys. */
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
