// SPDX-License-Identifier: Apache-2.0
package io.quorate.format;

import java.util.regex.Pattern;

/**
 * The text of a CSV file in the reference's format: comma, LF, and quotes only where necessary.
 * They surround cells that contain a comma, a quote or a line break or start with a blank. A text
 * that spreadsheets would read as a formula begins with an apostrophe.
 */
public final class CsvText {
  private static final Pattern QUOTED =
      Pattern.compile("[,\"\r\n]|^\\\\\\.$|^[\\p{javaWhitespace}\\p{javaSpaceChar}\\x85]");

  private static final Pattern FORMULA = Pattern.compile("'*[=+@\t\r-].+", Pattern.DOTALL);
  private static final Pattern NUMBER = Pattern.compile("[+-][0-9.,]+(E[+-]?[0-9]+)?%?|-Infinity");
  private static final String APOSTROPHE = "'";

  private final StringBuilder text = new StringBuilder();

  public CsvText row(String... cells) {
    for (int i = 0; i < cells.length; i++) {
      text.append(i == 0 ? "" : ",").append(isPlain(cells[i]) ? cells[i] : escaped(cells[i]));
    }
    text.append('\n');
    return this;
  }

  /** Returns whether a cell has digits, capitals and points only, as most of a large file. */
  private static boolean isPlain(String cell) {
    for (int i = 0; i < cell.length(); i++) {
      char each = cell.charAt(i);
      if ((each < '0' || each > '9') && (each < 'A' || each > 'Z') && each != '.') {
        return false;
      }
    }
    return true;
  }

  private static String escaped(String text) {
    String cell = isFormula(text) ? APOSTROPHE + text : text;
    return QUOTED.matcher(cell).find() ? '"' + cell.replace("\"", "\"\"") + '"' : cell;
  }

  private static boolean isFormula(String cell) {
    return FORMULA.matcher(cell).matches() && !NUMBER.matcher(cell).matches();
  }

  /** Returns the text of a cell without the apostrophe before a formula. */
  static String unescaped(String cell) {
    return cell.startsWith(APOSTROPHE) && isFormula(cell.substring(1)) ? cell.substring(1) : cell;
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
