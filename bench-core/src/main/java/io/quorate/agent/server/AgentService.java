package io.quorate.agent.server;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.quorate.agent.wire.AgentGrpc;
import io.quorate.agent.wire.Reply;
import io.quorate.agent.wire.Request;
import java.net.Inet4Address;
import java.net.InetSocketAddress;

/** Implements the service of {@code agent.proto}. */
final class AgentService extends AgentGrpc.AgentImplBase {
  private static final Context.Key<InetSocketAddress> OWN = Context.key("own address");
  private static final Context.Key<InetSocketAddress> OTHER = Context.key("other address");

  private final AgentSettings settings;
  private final AgentDirectory directory;
  private final Lease lease;

  AgentService(AgentSettings settings, AgentDirectory directory, Lease lease) {
    this.settings = settings;
    this.directory = directory;
    this.lease = lease;
  }

  @Override
  public StreamObserver<Request> hold(StreamObserver<Reply> observer) {
    ReplyStream replies = new ReplyStream((ServerCallStreamObserver<Reply>) observer);
    InetSocketAddress own = OWN.get();
    if (!(own.getAddress() instanceof Inet4Address)) {
      replies.end(
          Status.FAILED_PRECONDITION.withDescription(
              "the agent was reached at an address of IPv6: name it by its IPv4 address"));
      return new Nobody();
    }
    HostedMember.Hosts hosts =
        new HostedMember.Hosts(
            own.getAddress().getHostAddress(), OTHER.get().getAddress().getHostAddress());
    return new AgentSession(lease, settings, directory, hosts, replies);
  }

  /** Makes the addresses of a connection known to the call. */
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
                    (InetSocketAddress) call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR));
        return Contexts.interceptCall(context, call, headers, next);
      }
    };
  }

  /** Ignores all requests of a call that has ended. */
  private static final class Nobody implements StreamObserver<Request> {
    @Override
    public void onNext(Request request) {}

    @Override
    public void onError(Throwable gone) {}

    @Override
    public void onCompleted() {}
  }
}
