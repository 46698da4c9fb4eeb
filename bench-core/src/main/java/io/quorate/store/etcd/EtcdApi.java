// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.AuthGrpc;
import io.etcd.jetcd.api.AuthenticateRequest;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.SnapshotRequest;
import io.etcd.jetcd.api.StatusRequest;
import io.etcd.jetcd.api.StatusResponse;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.quorate.VisibleText;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.Login;
import io.quorate.store.driver.HttpResponseText;
import io.quorate.store.driver.OneLine;
import io.quorate.store.server.ServerProtocol;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Single calls to etcd, over gRPC or its gateway from HTTP to gRPC: users and passwords, snapshots,
 * numbers of keys.
 */
record EtcdApi(Endpoint endpoint, Access access, Duration timeout) {
  private static final String NO_USER = "etcdserver: user name is empty";

  private static final String USER_NEEDED =
      "it accepts only users with a password: pass yours with --credentials FILE";

  /** The beginning of the answer of etcd's gateway to clients with a common name. */
  private static final String COMMON_NAME = "CommonName of client";

  /** Field of StatusResponse that jetcd's API does not have. */
  private static final int DB_SIZE_QUOTA = 12;

  private static final ObjectMapper JSON = new ObjectMapper();

  /** As key and as end of a range, all keys. */
  private static final ByteString ALL = ByteString.copyFrom(new byte[1]);

  /** Calls a method of etcd, whose path is below {@code /v3/}. */
  HttpResponseText post(String path, String body, Map<String, String> headers) throws IOException {
    return HttpResponseText.to("POST", endpoint, access, "/v3/" + path, body, headers, timeout);
  }

  private HttpResponseText post(String path, Map<String, ?> request, Map<String, String> headers)
      throws IOException {
    return post(path, JSON.writeValueAsString(request), headers);
  }

  /** Adds a user with all rights, and turns authentication on. */
  void enable(Login.Password root) throws IOException {
    require("auth/user/add", Map.of("name", root.user(), "password", root.password()));
    require("auth/role/add", Map.of("name", "root"));
    require("auth/user/grant", Map.of("user", root.user(), "role", "root"));
    require("auth/enable", Map.of());
  }

  private void require(String path, Map<String, String> request) throws IOException {
    HttpResponseText answer = post(path, request, Map.of());
    if (!answer.isOk()) {
      throw new IOException("answers to /v3/" + path + ": " + error(answer));
    }
  }

  /** Returns whether an answer shows that etcd has users, and requires a login. */
  static boolean isForUsersOnly(HttpResponseText answer) {
    return !answer.isOk()
        && (answer.body().contains(NO_USER) || answer.body().contains(COMMON_NAME));
  }

  /** Returns the headers of requests; none without a login. Fails as {@link #token}. */
  Map<String, String> authorization() throws IOException {
    return access.login().kind() == Login.Kind.PASSWORD
        ? Map.of("Authorization", token())
        : Map.of();
  }

  /**
   * Returns a token for requests. Asks over gRPC, as etcd's gateway takes no password together with
   * a certificate that has a common name.
   *
   * @throws LoginRefusedException if the server refuses user or password
   * @throws IOException if it does not answer
   */
  String token() throws IOException {
    if (!(access.login() instanceof Login.Password login)) {
      throw new IllegalArgumentException("no password to log in with");
    }
    AuthenticateRequest request =
        AuthenticateRequest.newBuilder()
            .setName(login.user())
            .setPassword(login.password())
            .build();
    try {
      return call(AuthGrpc.getAuthenticateMethod(), request, "").getToken();
    } catch (StatusRuntimeException refused) {
      String error = OneLine.of(String.valueOf(refused.getStatus().getDescription()));
      throw new LoginRefusedException(
          error.contains("authentication is not enabled")
              ? "it has no users: remove user and password"
              : "it takes no such user and password (" + error + "): check both");
    }
  }

  /**
   * Calls a method over gRPC.
   *
   * @param token empty for none
   * @throws StatusRuntimeException if the server refuses
   * @throws IOException if it does not answer
   */
  <Q, A> A call(MethodDescriptor<Q, A> method, Q request, String token) throws IOException {
    return over(method, token, call -> ClientCalls.blockingUnaryCall(call, request));
  }

  /**
   * Reads a snapshot: the database, and the SHA-256 of it.
   *
   * @param parts receives the parts in their order
   * @throws IOException if the server refuses, or does not send all of it in time
   */
  void snapshot(Consumer<ByteString> parts) throws IOException {
    try {
      over(
          MaintenanceGrpc.getSnapshotMethod(),
          tokenIfAny(),
          call -> {
            ClientCalls.blockingServerStreamingCall(call, SnapshotRequest.getDefaultInstance())
                .forEachRemaining(part -> parts.accept(part.getBlob()));
            return true;
          });
    } catch (StatusRuntimeException refused) {
      throw new IOException(
          "does not send a snapshot: " + EtcdStatus.message(refused.getStatus()), refused);
    }
  }

  /** Returns how many keys a server has. */
  long keys() throws IOException {
    RangeRequest all =
        RangeRequest.newBuilder().setKey(ALL).setRangeEnd(ALL).setCountOnly(true).build();
    try {
      return call(KVGrpc.getRangeMethod(), all, tokenIfAny()).getCount();
    } catch (StatusRuntimeException refused) {
      throw new IOException(
          "does not count its keys: " + EtcdStatus.message(refused.getStatus()), refused);
    }
  }

  /** Returns the space of the database; only etcd 3.6 and newer report its quota here. */
  ServerProtocol.Space space() throws IOException {
    try {
      StatusResponse status =
          call(MaintenanceGrpc.getStatusMethod(), StatusRequest.getDefaultInstance(), tokenIfAny());
      List<Long> quota = status.getUnknownFields().getField(DB_SIZE_QUOTA).getVarintList();
      return new ServerProtocol.Space(status.getDbSize(), quota.isEmpty() ? 0 : quota.get(0));
    } catch (StatusRuntimeException refused) {
      throw new IOException(
          "does not report its size: " + EtcdStatus.message(refused.getStatus()), refused);
    }
  }

  String tokenIfAny() throws IOException {
    return access.login().kind() == Login.Kind.PASSWORD ? token() : "";
  }

  private <Q, A, T> T over(
      MethodDescriptor<Q, A> method, String token, Function<ClientCall<Q, A>, T> use)
      throws IOException {
    ManagedChannel channel =
        GrpcChannel.builder(endpoint, EtcdAccess.http2(access, endpoint, timeout)).build();
    try {
      CallOptions deadline =
          CallOptions.DEFAULT.withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS);
      return use.apply(GrpcChannel.withToken(token, channel.newCall(method, deadline)));
    } catch (StatusRuntimeException failed) {
      switch (failed.getStatus().getCode()) {
        case UNAVAILABLE, DEADLINE_EXCEEDED, UNIMPLEMENTED, INTERNAL, UNKNOWN ->
            throw new IOException(
                "does not answer over gRPC: " + EtcdStatus.message(failed.getStatus()), failed);
        default -> throw failed;
      }
    } finally {
      channel.shutdownNow();
    }
  }

  /** Explains that a server refuses a user, and what to do about it. */
  static final class LoginRefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    LoginRefusedException(String message) {
      super(message);
    }
  }

  /** Fails if a server refuses a request without a user, as it has some. */
  static void requireUser(StatusRuntimeException refused) throws LoginRefusedException {
    if (String.valueOf(refused.getStatus().getDescription()).contains(NO_USER)) {
      throw new LoginRefusedException(USER_NEEDED);
    }
  }

  /**
   * Returns the reason why this access does not permit reading keys; empty if it does.
   *
   * @param prefix prefix of the keys; empty if none are used
   */
  Optional<String> obstacle(String prefix) throws IOException {
    RangeRequest first =
        RangeRequest.newBuilder()
            .setKey(ByteString.copyFromUtf8(prefix.isEmpty() ? ServerProtocol.KEYS : prefix))
            .setSerializable(true)
            .build();
    try {
      call(KVGrpc.getRangeMethod(), first, access.login() == Login.NONE ? "" : token());
      return Optional.empty();
    } catch (LoginRefusedException refused) {
      return Optional.of(String.valueOf(refused.getMessage()));
    } catch (StatusRuntimeException refused) {
      String error = String.valueOf(refused.getStatus().getDescription());
      // with a certificate, etcd takes its name for that of a user
      boolean denied = error.contains("permission denied");
      if (error.contains(NO_USER) || denied && access.login() == Login.NONE) {
        return Optional.of(USER_NEEDED);
      }
      return Optional.of(
              "its user may not read keys that begin with %s: give it a role with readwrite on this prefix, or on quorate/"
                  .formatted(prefix))
          .filter(any -> denied && !prefix.isEmpty());
    }
  }

  /** Returns the error in an answer, which contains no secret. */
  private static String error(HttpResponseText answer) {
    try {
      String error = answer.json().path("message").asText();
      return error.isEmpty() ? "HTTP status " + answer.status() : VisibleText.line(error);
    } catch (IOException other) {
      return "HTTP status " + answer.status();
    }
  }
}
