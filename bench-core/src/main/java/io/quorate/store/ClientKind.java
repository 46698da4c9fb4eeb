package io.quorate.store;

import java.util.function.Supplier;

/**
 * A kind of client of a store, which may have several.
 *
 * @param id the name on the command line
 * @param maker starts such a client
 */
public record ClientKind(String id, Supplier<StoreClient> maker) {
  /** Starts such a client; to be closed by the caller. */
  public StoreClient start() {
    return maker.get();
  }

  /** Returns its id. */
  @Override
  public String toString() {
    return id;
  }
}
