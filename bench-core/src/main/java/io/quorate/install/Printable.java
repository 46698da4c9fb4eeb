package io.quorate.install;

import io.quorate.VisibleText;

/** Text from a file, an archive or a server, fit for a terminal and of bounded length. */
final class Printable {
  private static final int LONGEST = 300;

  private Printable() {}

  static String of(String text) {
    return VisibleText.of(text, LONGEST);
  }
}
