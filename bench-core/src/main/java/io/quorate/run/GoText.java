package io.quorate.run;

import java.util.HexFormat;

/**
 * Text that came from outside, made visible: quoted as Go's {@code %q} does, which is how the
 * reference writes error texts. Which characters are printable is what this JDK's Unicode tables
 * say, as Go's depend on the version of Go.
 */
public final class GoText {
  private static final int REPLACEMENT = 0xFFFD;

  private GoText() {}

  /** In double quotes, with everything escaped that is not printable. */
  public static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    text.codePoints()
        .forEach(
            character -> {
              if (character == '"' || character == '\\') {
                quoted.append('\\');
              }
              append(quoted, character);
            });
    return quoted.append('"').toString();
  }

  /**
   * Without quotes, and with quotes and backslashes as they are: what may be shown on a terminal.
   */
  public static String visible(String text) {
    StringBuilder visible = new StringBuilder();
    text.codePoints().forEach(character -> append(visible, character));
    return visible.toString();
  }

  private static void append(StringBuilder to, int character) {
    if (isPrintable(character)) {
      to.appendCodePoint(character);
    } else {
      to.append(escape(character));
    }
  }

  private static String escape(int character) {
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
        if (Character.getType(character) == Character.SURROGATE) {
          yield "\\u" + hex(REPLACEMENT, 4);
        }
        yield character < 0x10000 ? "\\u" + hex(character, 4) : "\\U" + hex(character, 8);
      }
    };
  }

  private static String hex(int character, int digits) {
    return HexFormat.of().toHexDigits(character, digits);
  }

  /** Letters, marks, numbers, punctuation, symbols and the ASCII blank; as Go's strconv.IsPrint. */
  private static boolean isPrintable(int character) {
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
}
