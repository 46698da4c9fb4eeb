// SPDX-License-Identifier: Apache-2.0
package io.quorate.fault;

import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.Request;
import io.quorate.store.StoreClient;
import java.util.List;
import java.util.Optional;

/**
 * A connection to each member, of which one is used until a request on it fails, then the next. A
 * request is sent once. Safe for several threads.
 */
final class MemberConnections implements AutoCloseable {
  private final List<Connection> connections;
  private volatile int current;

  /**
   * Opens the connections.
   *
   * @throws io.quorate.QuorateException if one cannot be opened
   */
  MemberConnections(StoreClient client, List<DriverSettings> members) {
    this.connections = members.stream().map(client::open).toList();
  }

  void submit(Request request, Completion completion) {
    int used = current;
    connections
        .get(used)
        .submit(
            request,
            Completion.of(
                completion::answered,
                (kind, message) -> {
                  if (current == used) {
                    current = (used + 1) % connections.size();
                  }
                  completion.failed(kind, message);
                }));
  }

  /** Sends a request, and waits for its answer; empty if it failed, at its deadline at last. */
  Optional<Answer> answer(Request request) {
    return Completion.await(completion -> submit(request, completion));
  }

  @Override
  public void close() {
    connections.forEach(Connection::close);
  }
}
