// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import io.quorate.store.driver.PendingRequest;
import java.io.IOException;
import org.apache.jute.Record;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.jspecify.annotations.Nullable;

/**
 * One request to ZooKeeper. Its connection ends it exactly once, on the event loop.
 *
 * @param type operation, of {@link OpCode}
 * @param request request whose deadline may end before it is sent, and which is stamped when it was
 *     sent; null for a request without a deadline
 */
record ZooKeeperCall(int type, Record record, @Nullable PendingRequest request, Outcome outcome) {
  /** Receives the reply. */
  interface Outcome {
    /**
     * @throws IOException if the record of the reply cannot be read: then it is called again, with
     *     a failure
     */
    void end(ZooKeeperReply reply) throws IOException;
  }

  ZooKeeperCall(int type, Record record, Outcome outcome) {
    this(type, record, null, outcome);
  }

  boolean ended() {
    return request != null && request.ended();
  }

  void sent() {
    if (request != null) {
      request.sent();
    }
  }
}
