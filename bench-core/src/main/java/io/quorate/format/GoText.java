package io.quorate.format;

import io.quorate.VisibleText;

/**
 * Quotes text as Go's {@code %q} does, which is how the reference writes error texts. This JDK's
 * Unicode tables decide which characters are printable, as Go's depend on the version of Go.
 */
public final class GoText {
  private static final int REPLACEMENT = 0xFFFD;

  private GoText() {}

  /** Returns the text in double quotes, with everything escaped that is not printable. */
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

  private static void append(StringBuilder to, int character) {
    if (VisibleText.isVisible(character)) {
      to.appendCodePoint(character);
    } else {
      boolean half = Character.getType(character) == Character.SURROGATE;
      to.append(VisibleText.escape(half ? REPLACEMENT : character));
    }
  }
}
