package io.quorate.store;

import java.util.function.Supplier;

/**
 * A kind of client of a store, which may have several.
 *
 * @param id the name on the command line
 * @param maker starts such a client
 * @param filesPerConnection how many files the process has open for each connection
 * @param threadsPerConnection how many threads each connection has for itself
 */
public record ClientKind(
    String id, Supplier<StoreClient> maker, int filesPerConnection, int threadsPerConnection) {

  /** Creates a kind whose connections have a socket each, and share their threads. */
  public ClientKind(String id, Supplier<StoreClient> maker) {
    this(id, maker, 1, 0);
  }

  public StoreClient start() {
    return maker.get();
  }

  @Override
  public String toString() {
    return id;
  }
}
