package io.quorate.store.etcd;

import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.StatusRequest;
import io.etcd.jetcd.api.StatusResponse;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.quorate.store.Access;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import io.quorate.store.server.ServerProtocol;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Asks a server of etcd's protocol for its status over gRPC. Other servers than etcd, such as kine,
 * do not answer over HTTP.
 */
final class GrpcStatus {
  /** Marks the version of a server that has no cluster, so that it is not etcd itself. */
  private static final String EMULATED = " (emulated)";

  private GrpcStatus() {}

  /**
   * Returns the state of a server. One without a cluster is its own leader.
   *
   * @throws IOException if it does not answer in time
   */
  static ServerProtocol.State ask(Endpoint endpoint, Access access, Duration timeout)
      throws IOException {
    EtcdAccess shared =
        new EtcdAccess.Shared().of(new DriverSettings(endpoint, timeout, timeout, access));
    NettyChannelBuilder builder =
        NettyChannelBuilder.forAddress(endpoint.host(), endpoint.port()).disableRetry();
    shared.tls().ifPresentOrElse(builder::sslContext, builder::usePlaintext);
    ManagedChannel channel = builder.build();
    try {
      return state(
          ClientCalls.blockingUnaryCall(
              channel,
              MaintenanceGrpc.getStatusMethod(),
              CallOptions.DEFAULT.withDeadlineAfter(timeout.toMillis(), TimeUnit.MILLISECONDS),
              StatusRequest.getDefaultInstance()));
    } catch (StatusRuntimeException refused) {
      throw new IOException("does not answer over gRPC: " + refused.getStatus(), refused);
    } finally {
      channel.shutdownNow();
    }
  }

  private static ServerProtocol.State state(StatusResponse status) throws IOException {
    if (status.getVersion().isEmpty()) {
      throw new IOException("does not answer like etcd");
    }
    boolean alone = status.getHeader().getClusterId() == 0;
    boolean leads = alone || status.getLeader() == status.getHeader().getMemberId();
    return new ServerProtocol.State(
        status.getVersion() + (alone ? EMULATED : ""),
        alone || status.getLeader() != 0,
        leads,
        "status over gRPC, without HTTP",
        status.getRaftAppliedIndex());
  }
}
