// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.cli.Quorate;
import io.quorate.format.ConsoleText;

/**
 * Prints on the terminal during a run: on standard error, as Gatling has standard output. Text of
 * servers and files is escaped here. Progress replaces the last line on a terminal, and is a new
 * line elsewhere. Any thread.
 */
public final class Console {
  /**
   * System property with the number of columns of the terminal. Without it, or if it is 0, standard
   * error is not a terminal whose last line can be replaced.
   */
  public static final String COLUMNS = "quorate.columns";

  private static final int WIDTH = Integer.getInteger(COLUMNS, 0) - 1;

  /** Length of the progress on the last line of the terminal; 0 if there is none. */
  private static int shown;

  private Console() {}

  static void line(String text) {
    String visible = VisibleText.of(text);
    print(WIDTH > 0 ? String.join("\n", ConsoleText.wrapped(visible)) : visible);
  }

  /**
   * Writes what only explains details of the load generator: to standard output, which is the log
   * of a run, and to the terminal if the user asked for it.
   */
  static void detail(String text) {
    System.out.println(VisibleText.of(text));
    if (Quorate.isVerbose()) {
      line(text);
    }
  }

  public static void lines(String message) {
    print(VisibleText.lines(message));
  }

  /** Prints a failure that the user can resolve; its stack trace as well if that is wanted. */
  public static void failure(QuorateException failure) {
    lines(failure.getMessage());
    if (Quorate.showsStackTraces(System.getenv())) {
      failure.printStackTrace();
    }
  }

  /** Prints progress, which the next output replaces on a terminal. */
  public static synchronized void progress(String text) {
    String line = VisibleText.of(text);
    if (WIDTH <= 0) {
      System.err.println(line);
      return;
    }
    String fitting = line.substring(0, Math.min(WIDTH, line.length()));
    System.err.print("\r" + fitting + " ".repeat(Math.max(0, shown - fitting.length())));
    System.err.flush();
    shown = fitting.length();
  }

  private static synchronized void print(String text) {
    if (shown > 0) {
      System.err.print("\r" + " ".repeat(shown) + "\r");
      shown = 0;
    }
    System.err.println(Quorate.named(text));
  }
}
