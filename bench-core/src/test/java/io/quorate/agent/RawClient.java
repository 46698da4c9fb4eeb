// SPDX-License-Identifier: Apache-2.0
package io.quorate.agent;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.netty.handler.ssl.SslContext;
import io.quorate.agent.wire.AgentGrpc;
import io.quorate.agent.wire.Hello;
import io.quorate.agent.wire.Reply;
import io.quorate.agent.wire.Request;
import io.quorate.store.Endpoint;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Sends an agent whatever it likes. */
public final class RawClient implements StreamObserver<Reply>, AutoCloseable {
  private static final int LIMIT_SECONDS = 60;

  private final Endpoint agent;
  private final boolean encrypted;
  private final ManagedChannel channel;
  private final StreamObserver<Request> requests;
  private final BlockingQueue<Reply> replies = new LinkedBlockingQueue<>();
  private final CompletableFuture<Status> end = new CompletableFuture<>();

  public RawClient(Endpoint agent, Optional<SslContext> tls) {
    this.agent = agent;
    this.encrypted = tls.isPresent();
    NettyChannelBuilder builder = NettyChannelBuilder.forAddress(agent.host(), agent.port());
    tls.ifPresentOrElse(builder::sslContext, builder::usePlaintext);
    this.channel = builder.disableRetry().build();
    this.requests = AgentGrpc.newStub(channel).hold(this);
  }

  public static Hello.Builder hello() {
    return Hello.newBuilder()
        .setProtocol(Protocol.VERSION)
        .setSuite("0.1.0")
        .setHolder("a test")
        .setRun("run-1");
  }

  public void send(Request.Builder request) {
    requests.onNext(request.build());
  }

  /** Sends nothing more, and says so. */
  public void halfClose() {
    requests.onCompleted();
  }

  /** Breaks the call off. */
  public void cancel() {
    ((ClientCallStreamObserver<Request>) requests).cancel("as the test wants it", null);
  }

  /** Waits for the end of the call. */
  public Status end() throws Exception {
    return end.get(LIMIT_SECONDS, TimeUnit.SECONDS);
  }

  Reply next() throws InterruptedException {
    Reply reply = replies.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
    if (reply == null) {
      throw new AssertionError("no reply; end: " + end.getNow(null));
    }
    return reply;
  }

  /** The end of the connection, as a person would read it. */
  String problem() throws Exception {
    return ConnectionProblem.of(agent, end.get(LIMIT_SECONDS, TimeUnit.SECONDS), encrypted);
  }

  @Override
  public void onNext(Reply reply) {
    replies.add(reply);
  }

  @Override
  public void onError(Throwable failure) {
    end.complete(Status.fromThrowable(failure));
  }

  @Override
  public void onCompleted() {
    end.complete(Status.OK);
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
