// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.server;

import java.io.IOException;

/** Reports that a server belongs to another store, which has the same protocol. */
public final class OtherStoreException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param server product and version of the server, if it reports one
   * @param id id of its store
   */
  public OtherStoreException(String server, String id) {
    super("it is %s: choose it with --database %s".formatted(server, id));
  }
}
