package io.quorate.store.consul;

import io.quorate.store.Access;
import io.quorate.store.Login;
import java.util.Map;

/** Shows a token to Consul. */
final class ConsulToken {
  /** The name of the header that has the token. */
  static final String HEADER = "X-Consul-Token";

  private ConsulToken() {}

  /** Returns the token of a client; empty if it has none. */
  static String of(Access access) {
    return access.login() instanceof Login.Token login ? login.token() : "";
  }

  /** Returns the header with the token, if there is one. */
  static Map<String, String> headers(Access access) {
    String token = of(access);
    return token.isEmpty() ? Map.of() : Map.of(HEADER, token);
  }
}
