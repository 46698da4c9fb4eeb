// SPDX-License-Identifier: Apache-2.0
package io.quorate;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Formats commands as a user types them into a POSIX shell. */
public final class ShellText {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

  private ShellText() {}

  /** Returns the words separated by blanks; words with special characters are in single quotes. */
  public static String of(List<String> words) {
    return words.stream().map(ShellText::quoted).collect(Collectors.joining(" "));
  }

  public static String quoted(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
