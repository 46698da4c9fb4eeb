package io.quorate.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.ResponseHeader;
import io.etcd.jetcd.api.StatusRequest;
import io.etcd.jetcd.api.StatusResponse;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.server.ServerProtocol;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Servers of etcd's protocol that do not answer over HTTP/1.1. */
class GrpcStatusIT {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @Test
  void a_server_without_a_cluster_is_its_own_leader_and_not_etcd() throws Exception {
    ServerProtocol.State state =
        ask(StatusResponse.newBuilder().setVersion("3.6.11").setHeader(header(0, 0)));

    assertThat(state.version()).isEqualTo("3.6.11 (emulated)");
    assertThat(state.ready()).isTrue();
    assertThat(state.leads()).isTrue();
  }

  @Test
  void a_member_of_a_cluster_has_the_version_that_it_reports() throws Exception {
    ServerProtocol.State state =
        ask(
            StatusResponse.newBuilder()
                .setVersion("3.7.3")
                .setLeader(8)
                .setRaftAppliedIndex(40)
                .setHeader(header(5, 7)));

    assertThat(state.version()).isEqualTo("3.7.3");
    assertThat(state.ready()).isTrue();
    assertThat(state.leads()).isFalse();
    assertThat(state.applied()).isEqualTo(40);
  }

  @Test
  void a_server_that_reports_no_version_is_refused() {
    assertThatThrownBy(() -> ask(StatusResponse.newBuilder()))
        .isInstanceOf(IOException.class)
        .satisfies(
            refusal ->
                assertThat(refusal.getSuppressed()[0]).hasMessage("does not answer like etcd"));
  }

  private static ResponseHeader header(long cluster, long member) {
    return ResponseHeader.newBuilder().setClusterId(cluster).setMemberId(member).build();
  }

  private static ServerProtocol.State ask(StatusResponse.Builder answer) throws IOException {
    Server server =
        NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
            .addService(
                new MaintenanceGrpc.MaintenanceImplBase() {
                  @Override
                  public void status(StatusRequest asked, StreamObserver<StatusResponse> to) {
                    to.onNext(answer.build());
                    to.onCompleted();
                  }
                })
            .build()
            .start();
    try {
      return new EtcdServers.EtcdProtocol()
          .ask(new Endpoint("127.0.0.1", server.getPort()), Access.PLAIN, LIMIT);
    } finally {
      server.shutdownNow();
    }
  }
}
