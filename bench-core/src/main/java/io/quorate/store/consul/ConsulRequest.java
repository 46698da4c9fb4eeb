package io.quorate.store.consul;

import io.quorate.store.ErrorKind;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Request;
import io.quorate.store.driver.PendingRequest;

/**
 * A request to a Consul server.
 *
 * @param asked what is to be carried out; {@link #LEADER} to find the leader
 * @param pending who is told
 */
record ConsulRequest(Request asked, PendingRequest pending) {
  /**
   * Asks for the address of the leader, whose answer is found, and empty if there is none: a
   * request by its identity, not one for a key.
   */
  static final Request LEADER = Request.get(new byte[0], ReadConsistency.DEFAULT);

  boolean isForLeader() {
    return asked == LEADER;
  }

  void fail(ErrorKind kind, String message) {
    pending.end(completion -> completion.failed(kind, message));
  }
}
