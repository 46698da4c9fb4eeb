// SPDX-License-Identifier: Apache-2.0
package io.quorate;

import java.util.HexFormat;
import java.util.stream.Collectors;

/**
 * Escapes text from files, servers and the command line before it is shown. It spells out control
 * characters, characters that change the direction of writing, and invisible characters, as in
 * {@code \x1b}, <code>&#92;u202e</code> and {@code \U000e0001}. This JDK's Unicode tables decide
 * which characters are letters.
 */
public final class VisibleText {
  private static final int MAX_QUOTE = 60;
  private static final int MAX_LINE = 500;

  private VisibleText() {}

  /** Returns the text on one line, with quotes and backslashes as they are. */
  public static String of(String text) {
    StringBuilder visible = new StringBuilder(text.length());
    text.codePoints().forEach(character -> append(visible, character));
    return visible.toString();
  }

  /**
   * Returns the text as {@link #of(String)} does, cut to the given number of characters, and with
   * {@code ...} if it is longer.
   */
  public static String of(String text, int mostCharacters) {
    if (text.codePointCount(0, text.length()) <= mostCharacters) {
      return of(text);
    }
    return of(text.substring(0, text.offsetByCodePoints(0, mostCharacters))) + "...";
  }

  /** Returns a text of any length on one line of at most 500 characters. */
  public static String line(String text) {
    return of(text, MAX_LINE);
  }

  /**
   * Returns a value that a user wrote in single quotes: at most 60 of its characters, with
   * backslashes and single quotes escaped as well.
   */
  public static String quoted(String text) {
    boolean longer = text.codePointCount(0, text.length()) > MAX_QUOTE;
    String start = longer ? text.substring(0, text.offsetByCodePoints(0, MAX_QUOTE)) : text;
    String shown = of(start.replace("\\", "\\\\").replace("'", "\\'"));
    return "'" + shown + (longer ? "..." : "") + "'";
  }

  /** Returns a message that may have several lines; only its line breaks stay as they are. */
  public static String lines(String message) {
    return message.lines().map(VisibleText::of).collect(Collectors.joining("\n"));
  }

  /**
   * Returns whether a character is a letter, mark, number, punctuation, symbol or the ASCII blank;
   * as Go's strconv.IsPrint.
   */
  public static boolean isVisible(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      case Character.SPACE_SEPARATOR -> character == ' ';
      default -> true;
    };
  }

  /** Returns the escape sequence of a character that cannot be shown. */
  public static String escape(int character) {
    return switch (character) {
      case 0x07 -> "\\a";
      case '\b' -> "\\b";
      case '\f' -> "\\f";
      case '\n' -> "\\n";
      case '\r' -> "\\r";
      case '\t' -> "\\t";
      case 0x0B -> "\\v";
      default -> {
        if (character < ' ' || character == 0x7F) {
          yield "\\x" + hex(character, 2);
        }
        yield character < 0x10000 ? "\\u" + hex(character, 4) : "\\U" + hex(character, 8);
      }
    };
  }

  private static void append(StringBuilder to, int character) {
    if (isVisible(character)) {
      to.appendCodePoint(character);
    } else {
      to.append(escape(character));
    }
  }

  private static String hex(int character, int digits) {
    return HexFormat.of().toHexDigits(character, digits);
  }
}
