// SPDX-License-Identifier: Apache-2.0
package io.quorate.results;

import io.quorate.format.StrictJson;
import java.nio.file.Path;
import java.util.List;

/**
 * A file of a database with a record in JSON in each line, to which lines are only ever appended.
 *
 * @param <T> the record of a line
 */
public record JsonLines<T>(String name, Class<T> type) {
  public Path file(DatabaseDirectory directory) {
    return directory.path().resolve(name);
  }

  public void append(DatabaseDirectory directory, T line) {
    append(directory, List.of(line));
  }

  /**
   * Appends lines to the file.
   *
   * @throws io.quorate.QuorateException if the file cannot be written
   */
  public void append(DatabaseDirectory directory, List<T> lines) {
    StrictJson.append(file(directory), lines);
  }

  /**
   * Reads all lines; none if there is no file. A last line without an end is left out, as it was
   * cut off by a kill.
   *
   * @throws io.quorate.QuorateException with file and line of the first line that cannot be read
   */
  public List<T> read(DatabaseDirectory directory) {
    return StrictJson.readLines(file(directory), type);
  }
}
