// SPDX-License-Identifier: Apache-2.0
package io.quorate.format;

import java.util.regex.Pattern;

/**
 * The text of a CSV file in the reference's format: comma, LF, and quotes only where necessary.
 * They surround cells that contain a comma, a quote or a line break or start with a blank.
 */
public final class CsvText {
  private static final Pattern QUOTED =
      Pattern.compile("[,\"\r\n]|^\\\\\\.$|^[\\p{javaWhitespace}\\p{javaSpaceChar}\\x85]");

  private final StringBuilder text = new StringBuilder();

  public CsvText row(String... cells) {
    for (int i = 0; i < cells.length; i++) {
      boolean quoted = QUOTED.matcher(cells[i]).find();
      String cell = quoted ? '"' + cells[i].replace("\"", "\"\"") + '"' : cells[i];
      text.append(i == 0 ? "" : ",").append(cell);
    }
    text.append('\n');
    return this;
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
