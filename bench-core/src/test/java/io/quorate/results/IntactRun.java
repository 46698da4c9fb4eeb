// SPDX-License-Identifier: Apache-2.0
package io.quorate.results;

import io.quorate.QuorateException;
import io.quorate.format.Unreadable;
import java.nio.file.Path;
import java.util.stream.Collectors;

/** Reads the directory of a database of which every file must be readable. */
public final class IntactRun {
  private IntactRun() {}

  public static DatabaseRun read(Path path) {
    DatabaseRun run = DatabaseRun.read(path);
    if (!run.unreadable().isEmpty()) {
      throw new QuorateException(
          run.unreadable().stream().map(Unreadable::problem).collect(Collectors.joining("\n")));
    }
    return run;
  }
}
