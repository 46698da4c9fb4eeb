package io.quorate.format;

/**
 * The text of a CSV file as the reference writes it: comma, LF, and quotes only around a cell that
 * contains a comma, a quote or a line break or that starts with a blank.
 */
public final class CsvText {
  private final StringBuilder text = new StringBuilder();

  /** Adds a line with these cells. */
  public CsvText row(String... cells) {
    for (int i = 0; i < cells.length; i++) {
      text.append(i == 0 ? "" : ",").append(needsQuotes(cells[i]) ? quoted(cells[i]) : cells[i]);
    }
    text.append('\n');
    return this;
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
