// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.etcd.jetcd.api.ClusterGrpc;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.Member;
import io.etcd.jetcd.api.MemberListRequest;
import io.etcd.jetcd.api.MemberListResponse;
import io.etcd.jetcd.api.ResponseHeader;
import io.etcd.jetcd.api.StatusRequest;
import io.etcd.jetcd.api.StatusResponse;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.server.OtherStoreException;
import io.quorate.store.server.ServerProtocol;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Servers of etcd's protocol that do not answer over HTTP/1.1. */
class GrpcStatusIT {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  /** The status of kine 0.17.5: pkg/server/maintenance.go leaves the header empty. */
  private static final StatusResponse.Builder EMULATED =
      StatusResponse.newBuilder().setVersion("3.6.11").setHeader(header(0, 0));

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

  @Test
  void kine_is_known_by_the_name_of_its_member_and_has_the_version_that_it_emulates()
      throws Exception {
    ServerProtocol.State state = ask(GrpcStatus.KINE, EMULATED, Optional.of("kine"));

    assertThat(state.version()).isEqualTo("3.6.11 (emulated)");
    assertThat(state.ready()).isTrue();
    assertThatThrownBy(() -> ask(GrpcStatus.ETCD, EMULATED, Optional.of("kine")))
        .isInstanceOf(OtherStoreException.class)
        .hasMessage("it is kine: choose it with --database kine");
  }

  @Test
  void another_server_is_not_kine() {
    StatusResponse.Builder etcd =
        StatusResponse.newBuilder().setVersion("3.7.3").setLeader(7).setHeader(header(5, 7));

    assertThatThrownBy(() -> ask(GrpcStatus.KINE, etcd, Optional.of("etcd-1")))
        .isInstanceOf(OtherStoreException.class)
        .hasMessage("it is etcd 3.7.3: choose it with --database etcd");
    assertThatThrownBy(() -> ask(GrpcStatus.KINE, EMULATED, Optional.of("other")))
        .hasMessage("does not list a member named kine");
    assertThatThrownBy(() -> ask(GrpcStatus.KINE, EMULATED, Optional.empty()))
        .hasMessage("does not list a member named kine");
  }

  @Test
  void a_server_of_etcd_without_http_that_is_kine_is_named() {
    assertThatThrownBy(() -> ask(EMULATED, Optional.of("kine")))
        .isInstanceOf(OtherStoreException.class)
        .hasMessageStartingWith("it is kine: ");
  }

  private static ResponseHeader header(long cluster, long member) {
    return ResponseHeader.newBuilder().setClusterId(cluster).setMemberId(member).build();
  }

  private static ServerProtocol.State ask(StatusResponse.Builder answer) throws IOException {
    return ask(answer, Optional.empty());
  }

  /** Asks as etcd is asked. */
  private static ServerProtocol.State ask(StatusResponse.Builder answer, Optional<String> member)
      throws IOException {
    try (Answering server = new Answering(answer.build(), member)) {
      return new EtcdProtocol().ask(server.endpoint(), Access.PLAIN, LIMIT);
    }
  }

  private static ServerProtocol.State ask(
      String store, StatusResponse.Builder answer, Optional<String> member) throws IOException {
    try (Answering server = new Answering(answer.build(), member)) {
      return GrpcStatus.ask(store, server.endpoint(), Access.PLAIN, LIMIT);
    }
  }

  /** A server that reports a status, and the name of a member if it lists members. */
  private static final class Answering implements AutoCloseable {
    private final Server server;

    Answering(StatusResponse status, Optional<String> member) throws IOException {
      NettyServerBuilder builder =
          NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
              .addService(
                  new MaintenanceGrpc.MaintenanceImplBase() {
                    @Override
                    public void status(StatusRequest asked, StreamObserver<StatusResponse> to) {
                      to.onNext(status);
                      to.onCompleted();
                    }
                  });
      member.ifPresent(name -> builder.addService(listing(name)));
      server = builder.build().start();
    }

    private static ClusterGrpc.ClusterImplBase listing(String name) {
      return new ClusterGrpc.ClusterImplBase() {
        @Override
        public void memberList(MemberListRequest asked, StreamObserver<MemberListResponse> to) {
          to.onNext(
              MemberListResponse.newBuilder()
                  .addMembers(Member.newBuilder().setName(name))
                  .build());
          to.onCompleted();
        }
      };
    }

    Endpoint endpoint() {
      return new Endpoint("127.0.0.1", server.getPort());
    }

    @Override
    public void close() {
      server.shutdownNow();
    }
  }
}
