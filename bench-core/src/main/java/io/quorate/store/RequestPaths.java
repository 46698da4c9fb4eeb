// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import java.util.Optional;
import java.util.function.Function;

/** The paths of a store's requests, as in the guide ({@code semantics.md}, round trips). */
public record RequestPaths(RequestPath write, Function<ReadConsistency, RequestPath> reads) {
  /** Returns the shortest path of an operation; empty if it is not known. */
  public Optional<RequestPath> of(Operation operation, ReadConsistency consistency) {
    if (operation.isOfLeases() || operation.isOfSessions()) {
      return Optional.empty();
    }
    RequestPath read = reads.apply(consistency);
    if (!operation.isRead()) {
      return Optional.of(write);
    }
    return Optional.of(operation.isWrite() ? read.then(write) : read);
  }
}
