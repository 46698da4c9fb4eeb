package io.quorate.store;

import java.util.function.Supplier;

/**
 * A kind of client of a store; a store may have several kinds.
 *
 * @param id the name on the command line
 * @param maker creates such a client
 * @param filesPerConnection number of open files for each connection
 * @param threadsPerConnection number of separate threads for each connection
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
