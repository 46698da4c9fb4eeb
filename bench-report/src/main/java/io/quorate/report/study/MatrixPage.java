package io.quorate.report.study;

import java.util.List;

/**
 * The content of the page of a matrix, in its order. All texts are plain: the template escapes
 * them.
 *
 * @param summary sentences about how many cells there are, and their outcomes
 * @param impossible sentences about values that cannot be
 * @param findings the computed sentences, by axis
 * @param tables one for each thing that was measured in several ways
 * @param difference against another matrix; without rows if there is none
 * @param troubles sentences about runs that are not complete
 * @param commands that make such a matrix again, continue with it, and show a cell of it
 * @param scenario the text of the scenario file
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

  /** Sentences about an axis, or another heading. */
  public record Findings(String axis, List<String> sentences) {}

  /** A table. */
  public record Table(String title, List<String> columns, List<List<String>> rows) {}

  /** A table of colored values. */
  public record Heat(List<String> columns, List<HeatRow> rows) {}

  /** A row of a table of colored values. */
  public record HeatRow(String name, List<HeatCell> cells) {}

  /**
   * @param level from 0, for the best of its column, to 7; -1 if there is not a value
   */
  public record HeatCell(String text, int level) {}
}
