package io.quorate.simulation;

import io.quorate.VisibleText;

/**
 * Prints on the terminal during a run: on standard error, as Gatling has standard output.
 * Everything that servers and files said is escaped here, whatever came before. Any thread.
 */
final class Console {
  private Console() {}

  /** Prints one line; line breaks in it are escaped. */
  static void line(String text) {
    System.err.println(VisibleText.of(text));
  }

  /** Prints a message that may have several lines. */
  static void lines(String message) {
    System.err.println(VisibleText.lines(message));
  }
}
