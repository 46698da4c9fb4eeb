package io.quorate.report.study;

import java.util.List;

/**
 * The content of the page of a matrix, in its order. All texts are plain: the template escapes
 * them.
 *
 * @param summary sentences about the number of cells and their outcomes
 * @param impossible sentences about impossible values
 * @param findings computed sentences, by axis
 * @param tables tables, one for each kind of work that was measured in several ways
 * @param difference differences to another matrix; without rows if there is none
 * @param troubles sentences about incomplete runs
 * @param commands commands that repeat the matrix, resume it, and show one of its cells
 * @param scenario text of the scenario file
 */
public record MatrixPage(
    String title,
    List<String> summary,
    List<String> impossible,
    List<String> description,
    List<String> notes,
    List<Findings> findings,
    Heat heat,
    List<Table> tables,
    Table difference,
    List<String> troubles,
    List<String> commands,
    List<String> files,
    String scenario) {

  /** Sentences below the heading of an axis, or another one. */
  public record Findings(String axis, List<String> sentences) {}

  /** A table. */
  public record Table(String title, List<String> columns, List<List<String>> rows) {}

  /** A table of colored values. */
  public record Heat(List<String> columns, List<HeatRow> rows) {}

  /** A row of a table of colored values. */
  public record HeatRow(String name, List<HeatCell> cells) {}

  /**
   * A cell of a table of colored values.
   *
   * @param level color, from 0 for the best of its column to 7; -1 without a value
   */
  public record HeatCell(String text, int level) {}
}
