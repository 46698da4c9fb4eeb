// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ConnectivityState;
import io.grpc.ForwardingClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.Future;
import io.quorate.QuorateException;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import io.quorate.store.driver.EventLoops;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * A channel of grpc-netty to one member: one connection, no retries, and a new connection about
 * once a second when it is lost. By default, gRPC waits for up to two minutes.
 */
final class GrpcChannel implements AutoCloseable {
  /**
   * Silence after which a ping is sent if answers are awaited; etcd refuses pings more often than
   * every five seconds.
   */
  static final long SILENCE_SECONDS = 10;

  /**
   * Logger of gRPC, which prints greetings, and warnings about lost connections that are reported
   * here; held, because an unreferenced logger loses its level.
   */
  private static final Logger GRPC = Logger.getLogger("io.grpc");

  static {
    GRPC.setLevel(Level.SEVERE);
  }

  /** Limit of one message: a page of 10,000 objects of 32 KiB, as an API server reads it. */
  static final int MAX_MESSAGE_BYTES = 512 << 20;

  /** Data that a server may send before it is read, at first; as that of etcd's client. */
  private static final int WINDOW_BYTES = 65_535;

  private final EventLoop loop;
  private final EtcdAccess access;
  private final ManagedChannel channel;
  private final Future<?> reconnecting;

  GrpcChannel(DriverSettings settings, EtcdAccess access, EventLoop loop) {
    this.loop = loop;
    this.access = access;
    this.channel =
        builder(settings.endpoint(), access.tls())
            .directExecutor()
            .eventLoopGroup(loop)
            .channelType(EventLoops.socketType())
            .maxInboundMessageSize(MAX_MESSAGE_BYTES)
            .initialFlowControlWindow(WINDOW_BYTES)
            .keepAliveTime(SILENCE_SECONDS, TimeUnit.SECONDS)
            .keepAliveTimeout(SILENCE_SECONDS, TimeUnit.SECONDS)
            .build();
    this.reconnecting = loop.scheduleWithFixedDelay(this::reconnect, 1, 1, TimeUnit.SECONDS);
  }

  /** Returns the builder of a channel to a server, which sends nothing twice. */
  static NettyChannelBuilder builder(Endpoint endpoint, Optional<SslContext> tls) {
    NettyChannelBuilder builder =
        NettyChannelBuilder.forAddress(endpoint.host(), endpoint.port()).disableRetry();
    tls.ifPresentOrElse(builder::sslContext, builder::usePlaintext);
    return builder;
  }

  /** Completes when the channel is connected; fails if the server cannot be reached. */
  CompletableFuture<Void> ready() {
    CompletableFuture<Void> ready = new CompletableFuture<>();
    watch(ready);
    return ready;
  }

  private void watch(CompletableFuture<Void> ready) {
    ConnectivityState state = channel.getState(true);
    switch (state) {
      case READY -> ready.complete(null);
      case TRANSIENT_FAILURE, SHUTDOWN ->
          ready.completeExceptionally(new QuorateException("cannot connect"));
      case CONNECTING, IDLE -> channel.notifyWhenStateChanged(state, () -> watch(ready));
    }
  }

  private void reconnect() {
    if (channel.getState(true) == ConnectivityState.TRANSIENT_FAILURE) {
      channel.resetConnectBackoff();
    }
  }

  <Q, A> ClientCall<Q, A> newCall(MethodDescriptor<Q, A> method, CallOptions options) {
    return withToken(access, channel.newCall(method, options));
  }

  /** Returns a call with the current token of the clients, if they have one. */
  static <Q, A> ClientCall<Q, A> withToken(EtcdAccess access, ClientCall<Q, A> call) {
    return withToken(access.token(), call);
  }

  /**
   * Returns a call with a token.
   *
   * @param token empty for none
   */
  static <Q, A> ClientCall<Q, A> withToken(String token, ClientCall<Q, A> call) {
    return token.isEmpty() ? call : new CallWithToken<>(call, token);
  }

  private static final class CallWithToken<Q, A>
      extends ForwardingClientCall.SimpleForwardingClientCall<Q, A> {
    private static final Metadata.Key<String> TOKEN =
        Metadata.Key.of(EtcdAccess.TOKEN, Metadata.ASCII_STRING_MARSHALLER);

    private final String token;

    CallWithToken(ClientCall<Q, A> call, String token) {
      super(call);
      this.token = token;
    }

    @Override
    public void start(Listener<A> listener, Metadata headers) {
      headers.put(TOKEN, token);
      super.start(listener, headers);
    }
  }

  EventLoop loop() {
    return loop;
  }

  @Override
  public void close() {
    reconnecting.cancel(false);
    channel.shutdownNow();
  }
}
