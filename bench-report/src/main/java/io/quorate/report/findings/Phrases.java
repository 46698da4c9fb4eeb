// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.findings;

import java.util.List;

/** Formats phrases of sentences. */
public final class Phrases {

  private Phrases() {}

  /** Returns a list as a phrase: {@code a}, {@code a and b}, {@code a, b and c}. */
  public static String list(List<String> parts) {
    int last = parts.size() - 1;
    return last <= 0
        ? String.join("", parts)
        : String.join(", ", parts.subList(0, last)) + " and " + parts.get(last);
  }

  /** Returns the beginning of a sentence. */
  public static String capitalized(String words) {
    return Character.toUpperCase(words.charAt(0)) + words.substring(1);
  }
}
