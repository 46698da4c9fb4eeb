// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.findings;

import io.quorate.format.NumberFormats;
import java.math.BigDecimal;
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

  static String percent(double percent) {
    return NumberFormats.fixed(percent, 1) + "%";
  }

  /** Returns a part of the scenario's requests: {@code 0.5%}. */
  static String scale(double scale) {
    return new BigDecimal(Double.toString(scale))
            .movePointRight(2)
            .stripTrailingZeros()
            .toPlainString()
        + "%";
  }
}
