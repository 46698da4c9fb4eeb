// SPDX-License-Identifier: Apache-2.0
package io.quorate.harness;

import io.quorate.store.Endpoint;
import java.nio.file.Path;

/** A program that generates the load of a scenario with one step on one server. */
interface ComparedTool {
  /** Returns the name for readers. */
  String name();

  /**
   * Sends the warm-up and the measured requests, in a separate process, and waits for its end.
   *
   * @param server server without keys
   * @param directory existing directory for its files
   * @throws io.quorate.QuorateException if it failed, or if a request did
   */
  Figures measure(Endpoint server, Path directory);
}
