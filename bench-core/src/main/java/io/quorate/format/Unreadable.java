// SPDX-License-Identifier: Apache-2.0
package io.quorate.format;

import io.quorate.VisibleText;
import java.nio.file.Path;
import java.util.Objects;

/**
 * A file of a run, or a line of it, that cannot be read or contradicts another file.
 *
 * @param problem path and line, the found and the expected text
 * @param consequence consequence for the report: which values are missing, or may be wrong
 */
public record Unreadable(Path file, String problem, String consequence) {
  /**
   * Returns a sentence without a full stop. Paths begin with the directory of the database, so that
   * the sentence does not depend on where the report is written.
   */
  public String text() {
    Path database = Objects.requireNonNull(file.getParent());
    return VisibleText.of(
        "%s; %s".formatted(problem.replace(database.getParent() + "/", ""), consequence));
  }
}
