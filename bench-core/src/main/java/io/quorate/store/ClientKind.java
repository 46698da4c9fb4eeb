// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import java.util.Set;
import java.util.function.Supplier;

/**
 * A kind of client of a store; a store may have several kinds.
 *
 * @param id the name on the command line
 * @param lacks operations of the store that it cannot carry out
 */
public record ClientKind(
    String id,
    Supplier<StoreClient> maker,
    int filesPerConnection,
    int threadsPerConnection,
    Set<Operation> lacks) {
  public ClientKind {
    lacks = Set.copyOf(lacks);
  }

  public ClientKind(
      String id, Supplier<StoreClient> maker, int filesPerConnection, int threadsPerConnection) {
    this(id, maker, filesPerConnection, threadsPerConnection, Set.of());
  }

  /** Creates a kind whose connections have one socket each, and share their threads. */
  public ClientKind(String id, Supplier<StoreClient> maker) {
    this(id, maker, 1, 0);
  }

  /** Returns the same kind without some operations. */
  public ClientKind without(Operation... operations) {
    return new ClientKind(id, maker, filesPerConnection, threadsPerConnection, Set.of(operations));
  }

  public StoreClient start() {
    return maker.get();
  }

  @Override
  public String toString() {
    return id;
  }
}
