// SPDX-License-Identifier: Apache-2.0
package io.quorate.cli;

import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.Ansi.Style;

/** The colors of results on a terminal. */
public record Colors(Ansi ansi) {
  public static final Colors NONE = new Colors(Ansi.OFF);

  private static final String GOOD = "\u2713 ";
  private static final String BAD = "\u2717 ";

  /** Returns a line about something that is as it should be. */
  public String good(String text) {
    return styled(GOOD, Style.fg_green) + text;
  }

  /** Returns a line about something that is broken. */
  public String bad(String text) {
    return styled(BAD, Style.fg_red) + text;
  }

  /** Returns a line about something that is good or broken. */
  public String mark(boolean isGood, String text) {
    return isGood ? good(text) : bad(text);
  }

  public String warning(String text) {
    return styled(text, Style.fg_yellow);
  }

  public String best(String text) {
    return styled(text, Style.bold);
  }

  private String styled(String text, Style style) {
    return ansi.enabled() && !text.isEmpty() ? Style.on(style) + text + Style.off(style) : text;
  }
}
