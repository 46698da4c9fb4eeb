package io.quorate.agent;

import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.quorate.QuorateException;
import io.quorate.driver.Endpoint;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * An agent: runs one member for one load generator at a time, again and again, until it is closed.
 */
public final class AgentServer implements AutoCloseable {
  /**
   * Writes a stack trace about everything that a stranger sends; held, because a logger that is not
   * forgets its level.
   */
  private static final Logger TRANSPORT = Logger.getLogger("io.grpc.netty");

  static {
    TRANSPORT.setLevel(Level.SEVERE);
  }

  private static final int MOST_CONNECTIONS = 64;
  private static final int MOST_METADATA_BYTES = 8_192;
  private static final int THREADS = 4;
  private static final Duration HANDSHAKE_LIMIT = Duration.ofSeconds(10);
  private static final Duration IDLE_LIMIT = Duration.ofSeconds(20);
  private static final Duration END_LIMIT = Duration.ofSeconds(40);

  private final AgentSettings settings;
  private final AgentDirectory directory;
  private final Lease lease = new Lease();
  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
  private final ExecutorService threads =
      Executors.newFixedThreadPool(
          THREADS,
          work -> {
            Thread thread = new Thread(work, "quorate-agent-calls");
            thread.setDaemon(true);
            return thread;
          });
  private final Server server;

  private AgentServer(AgentSettings settings) {
    this.settings = settings;
    this.directory = AgentDirectory.open(settings.data(), settings.console());
    boolean listening = false;
    try {
      server = builder().build().start();
      listening = true;
    } catch (IOException impossible) {
      throw new QuorateException(
          "cannot listen at %s: %s".formatted(settings.listen(), reason(impossible)), impossible);
    } finally {
      if (!listening) {
        end();
      }
    }
  }

  /**
   * Listens.
   *
   * @throws QuorateException if that is not possible, the keys cannot be used, or another agent
   *     uses the directory
   */
  public static AgentServer start(AgentSettings settings) {
    return new AgentServer(settings);
  }

  private NettyServerBuilder builder() {
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(settings.listen())
            .channelFactory(() -> new LimitedServerChannel(MOST_CONNECTIONS))
            .bossEventLoopGroup(loops)
            .workerEventLoopGroup(loops)
            .executor(threads)
            .intercept(AgentService.addresses())
            .addService(new AgentService(settings, directory, lease))
            .maxInboundMessageSize(Protocol.MAX_READ_REQUEST_BYTES)
            .maxInboundMetadataSize(MOST_METADATA_BYTES)
            .maxConcurrentCallsPerConnection(1)
            .handshakeTimeout(HANDSHAKE_LIMIT.toSeconds(), TimeUnit.SECONDS)
            .maxConnectionIdle(IDLE_LIMIT.toSeconds(), TimeUnit.SECONDS);
    settings.keys().map(KeyDirectory::forAgent).ifPresent(builder::sslContext);
    return builder;
  }

  private static String reason(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return String.valueOf(root.getMessage());
  }

  /** Where it listens. */
  public Endpoint address() {
    InetSocketAddress address = (InetSocketAddress) server.getListenSockets().get(0);
    return new Endpoint(address.getAddress().getHostAddress(), address.getPort());
  }

  /** Waits until it is closed. */
  public void awaitEnd() throws InterruptedException {
    server.awaitTermination();
  }

  /** Stops the member, if there is one, tells its load generator, and ends. Idempotent. */
  @Override
  public void close() {
    try {
      lease.endHolder(
          Status.UNAVAILABLE.withDescription("the agent was stopped, and its member with it"),
          END_LIMIT);
      server.shutdown().awaitTermination(1, TimeUnit.SECONDS);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
    } finally {
      server.shutdownNow();
      end();
    }
  }

  private void end() {
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    threads.shutdown();
    directory.close();
  }
}
