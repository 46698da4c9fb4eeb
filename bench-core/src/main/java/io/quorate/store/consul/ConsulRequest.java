package io.quorate.store.consul;

import io.quorate.store.ErrorKind;
import io.quorate.store.PendingRequest;
import io.quorate.store.ReadConsistency;

/**
 * A request to a Consul server, in the words of its API.
 *
 * @param key of {@code /v1/kv}; empty for LEADER
 * @param value what to put; empty for the others
 * @param consistency of a GET; DEFAULT for the others
 * @param pending who is told
 */
record ConsulRequest(
    Kind kind, String key, byte[] value, ReadConsistency consistency, PendingRequest pending) {
  /** The kind of request; LEADER finds the address of the leader, empty when there is none. */
  enum Kind {
    PUT,
    GET,
    DELETE,
    LEADER
  }

  void fail(ErrorKind kind, String message) {
    pending.end(completion -> completion.failed(kind, message));
  }
}
