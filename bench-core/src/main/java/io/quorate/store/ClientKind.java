package io.quorate.store;

import java.util.function.Supplier;

/**
 * A kind of client of a store; a store may have several kinds.
 *
 * @param id the name on the command line
 */
public record ClientKind(
    String id, Supplier<StoreClient> maker, int filesPerConnection, int threadsPerConnection) {

  /** Creates a kind whose connections have one socket each, and share their threads. */
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
