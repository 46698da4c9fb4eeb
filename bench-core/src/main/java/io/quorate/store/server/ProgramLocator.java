// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.server;

import java.nio.file.Path;

/** Finds the programs of servers on this machine. */
public interface ProgramLocator {
  /** Finds the executable or the main jar of a program; fails if it is not installed. */
  Path require(Program program);

  /** Returns the version of a program, which an executable of the user is asked for. */
  default String version(Program program) {
    return program.version();
  }

  JavaRuntime java();
}
