package io.quorate.store;

import java.util.function.Supplier;

/**
 * A way to talk to a store, where there may be several.
 *
 * @param id the name on the command line
 * @param maker starts such a client
 */
public record ClientKind(String id, Supplier<StoreClient> maker) {
  /** Starts such a client; to be closed by who asked. */
  public StoreClient start() {
    return maker.get();
  }

  /** Its id. */
  @Override
  public String toString() {
    return id;
  }
}
