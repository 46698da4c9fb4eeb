// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.UnknownFieldSet;
import io.etcd.jetcd.api.AuthGrpc;
import io.etcd.jetcd.api.AuthenticateRequest;
import io.etcd.jetcd.api.AuthenticateResponse;
import io.etcd.jetcd.api.ClusterGrpc;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.Member;
import io.etcd.jetcd.api.MemberListRequest;
import io.etcd.jetcd.api.MemberListResponse;
import io.etcd.jetcd.api.ResponseHeader;
import io.etcd.jetcd.api.StatusRequest;
import io.etcd.jetcd.api.StatusResponse;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.Login;
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

  @Test
  void a_server_with_users_is_asked_with_the_token_of_the_login() throws Exception {
    try (Answering server = new Answering(EMULATED.build(), Optional.of("etcd-1"), "secret")) {
      EtcdProtocol etcd = new EtcdProtocol();
      Access right = new Access(Optional.empty(), new Login.Password("u", "secret"));
      Access wrong = new Access(Optional.empty(), new Login.Password("u", "other"));

      assertThat(etcd.ask(server.endpoint(), right, LIMIT).version())
          .isEqualTo("3.6.11 (emulated)");
      assertThatThrownBy(() -> etcd.ask(server.endpoint(), wrong, LIMIT))
          .hasMessage("it takes no such user and password (no): check both");
      assertThatThrownBy(() -> etcd.ask(server.endpoint(), Access.PLAIN, LIMIT))
          .hasMessage("it accepts only users with a password: pass yours with --credentials FILE");
    }
  }

  @Test
  void a_server_without_metrics_has_its_size_and_since_3_6_its_quota() throws Exception {
    StatusResponse older = StatusResponse.newBuilder().setDbSize(500).build();
    UnknownFieldSet.Field quota = UnknownFieldSet.Field.newBuilder().addVarint(2_000).build();
    StatusResponse newer =
        older.toBuilder()
            .setUnknownFields(UnknownFieldSet.newBuilder().addField(12, quota).build())
            .build();
    for (StatusResponse status : new StatusResponse[] {older, newer}) {
      try (Answering server = new Answering(status, Optional.empty())) {
        assertThat(new EtcdProtocol().space(server.endpoint(), Access.PLAIN, LIMIT))
            .hasValue(new ServerProtocol.Space(500, status == older ? 0 : 2_000));
      }
    }
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
      this(status, member, "");
    }

    /**
     * @param password password of all users, and the token for it; empty for a server without users
     */
    Answering(StatusResponse status, Optional<String> member, String password) throws IOException {
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
      if (!password.isEmpty()) {
        builder.addService(users(password)).intercept(requiring(password));
      }
      server = builder.build().start();
    }

    private static AuthGrpc.AuthImplBase users(String password) {
      return new AuthGrpc.AuthImplBase() {
        @Override
        public void authenticate(
            AuthenticateRequest asked, StreamObserver<AuthenticateResponse> to) {
          if (asked.getPassword().equals(password)) {
            to.onNext(AuthenticateResponse.newBuilder().setToken(password).build());
            to.onCompleted();
          } else {
            to.onError(Status.INVALID_ARGUMENT.withDescription("no").asException());
          }
        }
      };
    }

    /** Refuses requests without a token, as etcd 3.7 does. */
    private static ServerInterceptor requiring(String token) {
      Metadata.Key<String> key = Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);
      return new ServerInterceptor() {
        @Override
        public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
          if (!call.getMethodDescriptor().equals(AuthGrpc.getAuthenticateMethod())
              && !token.equals(headers.get(key))) {
            call.close(
                Status.INVALID_ARGUMENT.withDescription("etcdserver: user name is empty"),
                new Metadata());
            return new ServerCall.Listener<>() {};
          }
          return next.startCall(call, headers);
        }
      };
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
