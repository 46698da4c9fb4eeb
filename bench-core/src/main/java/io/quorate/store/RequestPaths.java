// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import java.util.Optional;
import java.util.function.Function;

/** The paths of a store's requests, as in the guide ({@code semantics.md}, round trips). */
public record RequestPaths(RequestPath write, Function<ReadConsistency, RequestPath> reads) {
  /** Returns the shortest path of an operation; empty if it is not known. */
  public Optional<RequestPath> of(Operation operation, ReadConsistency consistency) {
    RequestPath read = reads.apply(consistency);
    return switch (operation) {
      case GET, RANGE -> Optional.of(read);
      case PUT, DELETE, TXN, COMPACT, OPTIMISTIC_CREATE, OPTIMISTIC_UPDATE, OPTIMISTIC_DELETE ->
          Optional.of(write);
      case COMPARE_AND_SET, STM -> Optional.of(read.then(write));
      case LEASE_GRANT, LEASE_KEEPALIVE, LOCK, ELECT, REGISTER, EXPIRE -> Optional.empty();
    };
  }
}
