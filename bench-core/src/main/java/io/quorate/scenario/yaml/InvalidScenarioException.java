// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import io.quorate.QuorateException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A scenario file that cannot be run. Its message has a line for each of the first 100 problems.
 */
public final class InvalidScenarioException extends QuorateException {
  private static final long serialVersionUID = 1L;

  private static final int MAX_SHOWN = 100;

  private final transient List<Problem> problems;

  InvalidScenarioException(List<Problem> problems) {
    super(message(problems));
    this.problems = List.copyOf(problems);
  }

  private static String message(List<Problem> problems) {
    String first =
        problems.stream().limit(MAX_SHOWN).map(Problem::toString).collect(Collectors.joining("\n"));
    int more = problems.size() - MAX_SHOWN;
    return more > 0 ? first + "\nand " + more + " more" : first;
  }

  /** Returns all problems of the file, in the order of their position; at least one. */
  public List<Problem> problems() {
    return problems;
  }

  /**
   * A problem in a scenario file. All texts are safe to print: quotes from the file are escaped and
   * shortened.
   *
   * @param file file as the user named it, see {@link ScenarioFile#shown}
   * @param line line, from 1
   * @param column column in characters, from 1
   */
  public record Problem(String file, int line, int column, String found, String expected) {

    @Override
    public String toString() {
      return file + ":" + line + ":" + column + ": found " + found + ", expected " + expected;
    }
  }
}
