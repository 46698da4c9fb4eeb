package io.quorate.install;

import io.quorate.VisibleText;

/** Formats text from a file, an archive or a server for a terminal, with bounded length. */
final class Printable {
  private static final int LONGEST = 300;

  private Printable() {}

  static String of(String text) {
    return VisibleText.of(text, LONGEST);
  }
}
