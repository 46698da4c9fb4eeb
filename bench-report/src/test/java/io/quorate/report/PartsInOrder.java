// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import java.util.Arrays;
import org.assertj.core.api.Condition;

/**
 * Parts of a text, one after the other with any text between them. AssertJ's {@code
 * containsSubsequence} says the same, but needs many seconds for a page with plots.
 */
public final class PartsInOrder extends Condition<String> {
  private final String[] parts;

  private PartsInOrder(String... parts) {
    super("parts in this order: " + Arrays.toString(parts));
    this.parts = parts;
  }

  public static PartsInOrder partsInOrder(String... parts) {
    return new PartsInOrder(parts);
  }

  @Override
  public boolean matches(String text) {
    int end = 0;
    for (String part : parts) {
      int begin = text.indexOf(part, end);
      if (begin < 0) {
        return false;
      }
      end = begin + part.length();
    }
    return true;
  }
}
