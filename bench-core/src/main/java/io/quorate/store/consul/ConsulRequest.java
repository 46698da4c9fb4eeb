// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.consul;

import io.quorate.store.Access;
import io.quorate.store.ErrorKind;
import io.quorate.store.Login;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Request;
import io.quorate.store.driver.PendingRequest;
import java.util.Map;

/** A request to a Consul server; {@link #LEADER} to find the leader. */
record ConsulRequest(Request asked, PendingRequest pending) {
  /**
   * Requests the address of the leader; the answer is a found value, which is empty without a
   * leader. Compared by identity, as it is not a request for a key.
   */
  static final Request LEADER = new Request.Get(new byte[0], ReadConsistency.DEFAULT);

  static final String TOKEN = "X-Consul-Token";

  /** Returns the token of a client; empty if it has none. */
  static String token(Access access) {
    return access.login() instanceof Login.Token login ? login.token() : "";
  }

  static Map<String, String> headers(Access access) {
    String token = token(access);
    return token.isEmpty() ? Map.of() : Map.of(TOKEN, token);
  }

  boolean isForLeader() {
    return asked == LEADER;
  }

  void fail(ErrorKind kind, String message) {
    pending.end(completion -> completion.failed(kind, message));
  }
}
