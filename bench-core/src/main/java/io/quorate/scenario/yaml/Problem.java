package io.quorate.scenario.yaml;

/**
 * A problem in a scenario file. All texts are safe to print: what was taken from the file is
 * escaped and shortened.
 *
 * @param file the file as it was given, see {@link ScenarioFile#shown}
 * @param line from 1
 * @param column in characters, from 1
 * @param found what stands there
 * @param expected what should stand there instead
 */
public record Problem(String file, int line, int column, String found, String expected) {

  /**
   * Returns {@code file:line:column: found ..., expected ...}, the form that editors can jump to.
   */
  @Override
  public String toString() {
    return file + ":" + line + ":" + column + ": found " + found + ", expected " + expected;
  }
}
