// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.etcd.jetcd.api.AuthGrpc;
import io.etcd.jetcd.api.AuthenticateRequest;
import io.etcd.jetcd.api.AuthenticateResponse;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
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
import io.quorate.store.SilentPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Users of a server that speaks gRPC alone, as etcd without its gateway. */
class EtcdApiTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Login USER = new Login.Password("bench", "secret");
  private static final Metadata.Key<String> TOKEN =
      Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);

  private volatile String lastToken = "";
  private Server server;

  @BeforeEach
  void start() throws IOException {
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(new Users())
            .addService(new Keys())
            .intercept(new Tokens())
            .build()
            .start();
  }

  @AfterEach
  void stop() throws InterruptedException {
    server.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
  }

  @Test
  void a_user_with_a_role_for_the_prefix_of_runs_is_let_in() throws IOException {
    assertThat(users(USER).token()).isEqualTo("bench.7");
    assertThat(users(USER).obstacle("quorate/it/")).isEmpty();
    assertThat(users(USER).obstacle("")).isEmpty();
  }

  @Test
  void a_user_without_rights_to_the_prefix_is_told_which_role_is_missing() throws IOException {
    assertThat(users(USER).obstacle("other/it/"))
        .contains(
            "its user may not read keys that begin with other/it/: give it a role with readwrite on"
                + " this prefix, or on quorate/");
  }

  @Test
  void others_are_told_what_is_wrong() throws IOException {
    assertThat(users(Login.NONE).obstacle("quorate/it/"))
        .contains("it accepts only users with a password: pass yours with --credentials FILE");
    assertThat(users(new Login.Password("bench", "wrong")).obstacle("quorate/it/"))
        .contains(
            "it takes no such user and password (etcdserver: authentication failed, invalid user ID"
                + " or password): check both");
    try (SilentPort nobody = new SilentPort()) {
      assertThatThrownBy(
              () ->
                  new EtcdApi(nobody.endpoint(), new Access(Optional.empty(), USER), LIMIT)
                      .obstacle("quorate/it/"))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("does not answer over gRPC: UNAVAILABLE");
    }
  }

  private EtcdApi users(Login login) {
    return new EtcdApi(
        new Endpoint("127.0.0.1", server.getPort()), new Access(Optional.empty(), login), LIMIT);
  }

  private final class Tokens implements ServerInterceptor {
    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
      lastToken = String.valueOf(headers.get(TOKEN));
      return next.startCall(call, headers);
    }
  }

  private static final class Users extends AuthGrpc.AuthImplBase {
    @Override
    public void authenticate(
        AuthenticateRequest request, StreamObserver<AuthenticateResponse> answers) {
      if (!request.getPassword().equals("secret")) {
        answers.onError(
            Status.INVALID_ARGUMENT
                .withDescription("etcdserver: authentication failed, invalid user ID or password")
                .asRuntimeException());
        return;
      }
      answers.onNext(AuthenticateResponse.newBuilder().setToken("bench.7").build());
      answers.onCompleted();
    }
  }

  private final class Keys extends KVGrpc.KVImplBase {
    @Override
    public void range(RangeRequest request, StreamObserver<RangeResponse> answers) {
      if (lastToken.equals("null")) {
        answers.onError(
            Status.INVALID_ARGUMENT
                .withDescription("etcdserver: user name is empty")
                .asRuntimeException());
      } else if (!request.getKey().toStringUtf8().startsWith("quorate/")) {
        answers.onError(
            Status.PERMISSION_DENIED
                .withDescription("etcdserver: permission denied")
                .asRuntimeException());
      } else {
        answers.onNext(RangeResponse.getDefaultInstance());
        answers.onCompleted();
      }
    }
  }
}
