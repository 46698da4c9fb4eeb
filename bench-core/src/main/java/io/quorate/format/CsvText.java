package io.quorate.format;

/**
 * The text of a CSV file as the reference writes it: comma, LF, and quotes only around a cell that
 * contains a comma, a quote or a line break or that starts with a blank.
 */
public final class CsvText {
  /** Characters that begin a formula in spreadsheets, full-width ones too. */
  private static final String FORMULA = "=+-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20";

  private final StringBuilder text = new StringBuilder();

  /** Adds a line with these cells. */
  public CsvText row(String... cells) {
    for (int i = 0; i < cells.length; i++) {
      text.append(i == 0 ? "" : ",").append(needsQuotes(cells[i]) ? quoted(cells[i]) : cells[i]);
    }
    text.append('\n');
    return this;
  }

  /**
   * Returns text from outside, such as an error of a server, as a cell that no spreadsheet takes
   * for a formula: with an apostrophe before it if it begins like one.
   */
  public static String cell(String text) {
    return isFormula(text) || text.startsWith("'") ? "'" + text : text;
  }

  /** Returns the original text of a cell written by {@link #cell}. */
  public static String outside(String cell) {
    boolean marked = cell.startsWith("'") && cell(cell.substring(1)).equals(cell);
    return marked ? cell.substring(1) : cell;
  }

  private static boolean isFormula(String text) {
    return !text.isEmpty() && FORMULA.indexOf(text.charAt(0)) >= 0;
  }

  private static boolean needsQuotes(String cell) {
    if (cell.isEmpty()) {
      return false;
    }
    for (int i = 0; i < cell.length(); i++) {
      char c = cell.charAt(i);
      if (c == ',' || c == '"' || c == '\r' || c == '\n') {
        return true;
      }
    }
    return cell.equals("\\.") || isBlank(cell.codePointAt(0));
  }

  private static boolean isBlank(int character) {
    return Character.isWhitespace(character)
        || Character.isSpaceChar(character)
        || character == 0x85;
  }

  private static String quoted(String cell) {
    return '"' + cell.replace("\"", "\"\"") + '"';
  }

  /** Returns the whole file. */
  @Override
  public String toString() {
    return text.toString();
  }
}
