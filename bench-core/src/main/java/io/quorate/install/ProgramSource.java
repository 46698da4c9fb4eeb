// SPDX-License-Identifier: Apache-2.0
package io.quorate.install;

import io.quorate.store.server.Program;
import java.io.IOException;
import java.nio.file.Path;

/** A way to obtain a program. */
interface ProgramSource {
  /** Returns a description in two or three words, for messages. */
  String title();

  /**
   * Puts the executables of a program into a directory.
   *
   * @param work directory for temporary files; its content is removed afterwards
   * @param into empty directory for the executables; its content is ignored after a failure
   * @return the origin of the executables, in one line
   * @throws io.quorate.QuorateException with the reason, like the other exception
   */
  String supply(Program program, Path work, Path into) throws IOException;
}
