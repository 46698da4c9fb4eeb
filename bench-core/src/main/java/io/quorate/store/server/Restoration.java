// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.server;

import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Restores a snapshot of a server into a new cluster of one server, as after the loss of a cluster.
 * {@link ServerLauncher#restoreCommand} starts that server. Any thread may call the methods, which
 * block until the work is done.
 */
public interface Restoration {
  /**
   * Saves a snapshot of a running server on this machine.
   *
   * @param snapshot an empty directory for its files
   * @throws IOException if it cannot be written, or the server refuses or does not answer in time
   */
  void save(ServerPlan running, Access access, Path snapshot, Duration timeout) throws IOException;

  /**
   * Loads a snapshot into a new server that serves, unless it has started on it.
   *
   * @throws IOException if it refuses, or does not answer in time
   */
  default void load(Endpoint restored, Access access, Path snapshot, Duration timeout)
      throws IOException {}

  /**
   * Returns the number of keys of a server.
   *
   * @throws IOException if it does not answer in time
   */
  long keys(Endpoint server, Access access, Duration timeout) throws IOException;
}
