package io.quorate.run;

import io.quorate.VisibleText;

/**
 * Prints on the terminal during a run: on standard error, as Gatling has standard output.
 * Everything that servers and files said is escaped here, whatever came before. Any thread.
 */
public final class Console {
  private Console() {}

  static void line(String text) {
    System.err.println(VisibleText.of(text));
  }

  public static void lines(String message) {
    System.err.println(VisibleText.lines(message));
  }
}
