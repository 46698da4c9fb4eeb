// SPDX-License-Identifier: Apache-2.0
package io.quorate.format;

import io.quorate.VisibleText;
import java.util.stream.Collectors;

/**
 * Quotes text as Go's {@code %q} does, which is how the reference writes error texts. This JDK's
 * Unicode tables decide which characters are printable, as Go's depend on the version of Go.
 */
public final class GoText {
  private static final int REPLACEMENT = 0xFFFD;

  private GoText() {}

  /** Returns the text in double quotes, with everything escaped that is not printable. */
  public static String quoted(String text) {
    return text.codePoints().mapToObj(GoText::escaped).collect(Collectors.joining("", "\"", "\""));
  }

  private static String escaped(int character) {
    if (character == '"' || character == '\\') {
      return "\\" + Character.toString(character);
    }
    if (VisibleText.isVisible(character)) {
      return Character.toString(character);
    }
    boolean half = Character.getType(character) == Character.SURROGATE;
    return VisibleText.escape(half ? REPLACEMENT : character);
  }
}
