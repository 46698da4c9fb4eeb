// SPDX-License-Identifier: Apache-2.0
package io.quorate;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** An action on files or on a server, which may be impossible. */
@FunctionalInterface
public interface FileAction<T> {
  T run() throws IOException;

  /** An action without a result. */
  @FunctionalInterface
  interface Step {
    void run() throws IOException;
  }

  /** Returns the result of an action; empty if it is impossible. */
  static <T> Optional<T> attempt(FileAction<T> action) {
    try {
      return Optional.of(action.run());
    } catch (IOException impossible) {
      return Optional.empty();
    }
  }

  /** Returns the result of an action; fails with what cannot be done, and the reason. */
  static <T> T require(String what, FileAction<T> action) {
    try {
      return action.run();
    } catch (IOException impossible) {
      throw FileFailure.exception(what, impossible);
    }
  }

  /** Carries out an action; fails with what cannot be done, and the reason. */
  static void require(String what, Step step) {
    require(what, of(step));
  }

  /** Returns what an action reads from a file or directory; fails with its path and the reason. */
  static <T> T read(Path path, FileAction<T> action) {
    return require(VisibleText.of(path.toString()) + ": cannot be read", action);
  }

  /** Returns an action whose result says nothing. */
  static FileAction<Boolean> of(Step step) {
    return () -> {
      step.run();
      return true;
    };
  }
}
