// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.quorate.VisibleText;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.Login;
import io.quorate.store.driver.HttpResponseText;
import java.io.IOException;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;

/** Uses etcd's API of users and passwords, over the gateway from HTTP to gRPC. */
record EtcdUsers(Endpoint endpoint, Access access, Duration timeout) {
  private static final String NO_USER = "etcdserver: user name is empty";

  /** The beginning of the answer of etcd's gateway to clients with a common name. */
  private static final String COMMON_NAME = "CommonName of client";

  private static final ObjectMapper JSON = new ObjectMapper();

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
   * Returns a token for requests.
   *
   * @throws LoginRefusedException if the server refuses user or password
   * @throws IOException if it does not answer
   */
  String token() throws IOException {
    if (!(access.login() instanceof Login.Password login)) {
      throw new IllegalArgumentException("no password to log in with");
    }
    Map<String, String> request = Map.of("name", login.user(), "password", login.password());
    HttpResponseText answer = post("auth/authenticate", request, Map.of());
    String token = answer.isOk() ? answer.json().path("token").asText() : "";
    if (!token.isEmpty() && token.chars().allMatch(each -> each > ' ' && each <= '~')) {
      return token;
    }
    if (answer.body().contains(COMMON_NAME)) {
      throw new LoginRefusedException(
          "it accepts no password together with a certificate that has a common name (CN): "
              + "use a certificate without one");
    }
    String error = error(answer);
    throw new LoginRefusedException(
        error.contains("authentication is not enabled")
            ? "it has no users: remove user and password"
            : "it takes no such user and password (" + error + "): check both");
  }

  /** Explains that a server refuses a user, and what to do about it. */
  static final class LoginRefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    LoginRefusedException(String message) {
      super(message);
    }
  }

  /** Returns the reason why this access does not permit reading a key; empty if it does. */
  Optional<String> obstacle() throws IOException {
    String key = Base64.getEncoder().encodeToString(new byte[] {'0'});
    HttpResponseText answer;
    try {
      answer = post("kv/range", Map.of("key", key, "serializable", true), authorization());
    } catch (LoginRefusedException refused) {
      return Optional.of(String.valueOf(refused.getMessage()));
    }
    String error = answer.isOk() ? "" : error(answer);
    if (error.contains(NO_USER)) {
      return Optional.of("it accepts only users with a password: name yours");
    }
    return error.contains("permission denied")
        ? Optional.of("its user may not read all keys: give it the role root, or name another one")
        : Optional.empty();
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
