// SPDX-License-Identifier: Apache-2.0
package io.quorate.agent.server;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.quorate.DaemonThreads;
import io.quorate.Pause;
import io.quorate.QuorateException;
import io.quorate.agent.KeyDirectory;
import io.quorate.agent.Protocol;
import io.quorate.agent.wire.AgentGrpc;
import io.quorate.agent.wire.Reply;
import io.quorate.agent.wire.Request;
import io.quorate.store.Endpoint;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Serves load generators until it is closed: runs one member for one of them at a time. */
public final class AgentServer implements AutoCloseable {
  /**
   * Logger that prints a stack trace about every malformed input; held, because an unreferenced
   * logger loses its level.
   */
  private static final Logger TRANSPORT = Logger.getLogger("io.grpc.netty");

  static {
    TRANSPORT.setLevel(Level.SEVERE);
  }

  private static final int MAX_METADATA_BYTES = 8_192;
  private static final int MAX_RESETS = 100;
  private static final int RESETS_SECONDS = 10;
  private static final int THREADS = 4;
  private static final Duration HANDSHAKE_LIMIT = Duration.ofSeconds(10);
  private static final Duration IDLE_LIMIT = Duration.ofSeconds(20);
  private static final Duration END_LIMIT = Duration.ofSeconds(40);

  private final AgentSettings settings;
  private final AgentDirectory directory;
  private final Lease lease = new Lease();
  private final ExecutorService calls =
      Executors.newFixedThreadPool(THREADS, DaemonThreads.named("quorate-agent-calls"));
  private final Server server;

  /**
   * Starts to listen.
   *
   * @throws QuorateException if listening fails, the keys cannot be used, or another agent uses the
   *     directory
   */
  public AgentServer(AgentSettings settings) {
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

  private NettyServerBuilder builder() {
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(settings.listen())
            .executor(calls)
            .intercept(AgentService.addresses())
            .addService(new AgentService())
            .maxInboundMessageSize(Protocol.MAX_READ_REQUEST_BYTES)
            .flowControlWindow(Protocol.MAX_READ_REQUEST_BYTES)
            .maxInboundMetadataSize(MAX_METADATA_BYTES)
            .maxConcurrentCallsPerConnection(1)
            .maxRstFramesPerWindow(MAX_RESETS, RESETS_SECONDS)
            .handshakeTimeout(HANDSHAKE_LIMIT.toMillis(), TimeUnit.MILLISECONDS)
            .maxConnectionIdle(IDLE_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
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

  public Endpoint address() {
    InetSocketAddress address = (InetSocketAddress) server.getListenSockets().get(0);
    return new Endpoint(address.getAddress().getHostAddress(), address.getPort());
  }

  public void awaitEnd() throws InterruptedException {
    server.awaitTermination();
  }

  /** Stops the member, if there is one, informs its load generator, and ends. Idempotent. */
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
      // the threads that handle the end of connections still run
      Pause.until(() -> server.awaitTermination(1, TimeUnit.SECONDS));
      end();
    }
  }

  private void end() {
    calls.shutdown();
    directory.close();
  }

  /** Implements the service of {@code agent.proto}. */
  private final class AgentService extends AgentGrpc.AgentImplBase {
    private static final Context.Key<InetSocketAddress> OWN = Context.key("own address");
    private static final Context.Key<InetSocketAddress> OTHER = Context.key("other address");

    @Override
    public StreamObserver<Request> hold(StreamObserver<Reply> observer) {
      ReplyStream replies = new ReplyStream((ServerCallStreamObserver<Reply>) observer);
      InetSocketAddress own = OWN.get();
      AgentMember.Hosts hosts =
          new AgentMember.Hosts(
              own.getAddress().getHostAddress(), OTHER.get().getAddress().getHostAddress());
      AgentSession session = new AgentSession(lease, settings, directory, hosts, replies);
      if (!(own.getAddress() instanceof Inet4Address)) {
        session.end(
            Status.FAILED_PRECONDITION.withDescription(
                "the agent was reached at an address of IPv6: name it by its IPv4 address"));
      }
      return session;
    }

    /** Returns an interceptor that passes the addresses of a connection to the call. */
    static ServerInterceptor addresses() {
      return new ServerInterceptor() {
        @Override
        public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
          Context context =
              Context.current()
                  .withValues(
                      OWN,
                      (InetSocketAddress) call.getAttributes().get(Grpc.TRANSPORT_ATTR_LOCAL_ADDR),
                      OTHER,
                      (InetSocketAddress)
                          call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR));
          return Contexts.interceptCall(context, call, headers, next);
        }
      };
    }
  }
}
