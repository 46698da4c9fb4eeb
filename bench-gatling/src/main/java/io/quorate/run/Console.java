package io.quorate.run;

import io.quorate.VisibleText;

/**
 * Prints on the terminal during a run, on standard error, as Gatling uses standard output. All
 * texts from servers and files are escaped here. Safe for several threads.
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
