package io.quorate.install;

import java.util.Locale;

/**
 * Text from a file, an archive or a server, made fit for a terminal: on one line, of bounded
 * length, and with nothing in it that a terminal would obey.
 */
final class Printable {
  private static final int LONGEST = 300;

  private Printable() {}

  static String of(String text) {
    StringBuilder shown = new StringBuilder();
    text.codePoints().limit(LONGEST).forEach(character -> append(shown, character));
    return text.codePointCount(0, text.length()) > LONGEST ? shown + "..." : shown.toString();
  }

  private static void append(StringBuilder shown, int character) {
    switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.UNASSIGNED,
          Character.PRIVATE_USE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          shown.append(String.format(Locale.ROOT, "\\u{%X}", character));
      default -> shown.appendCodePoint(character);
    }
  }
}
