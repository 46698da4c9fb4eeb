// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.study;

import io.quorate.report.page.Page;
import io.quorate.report.plot.Plot;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The content of the page of a matrix, in its order. All texts are plain: the template escapes
 * them.
 *
 * @param incomparable what must not be compared with a published matrix; empty for other matrices
 * @param summary number of cells and their outcomes, and the largest differences
 * @param impossible sentences about impossible values, and of a withdrawn matrix
 * @param dots picture of all cells; empty if no axis is compared
 * @param maps heat map of the ratios of two versions, settings or databases; may be empty
 * @param ratios ratios of cells, a table for each axis
 * @param omitted sentences about values that are not compared
 * @param findings computed sentences
 * @param sizes values by the size of the data, a table for each series
 * @param plots drawn plots by the size of the data
 * @param tables tables of repeated runs, of outages, and of round trips
 * @param details tables of the published study, one for each kind of work
 * @param disturbed runs that decide nothing, a sentence for each
 * @param troubles sentences about incomplete runs
 * @param commands commands that repeat the matrix and, unless it is published, resume it and show
 *     one of its cells
 * @param files names of the files next to the page
 * @param scenario text of the scenario file
 */
public record MatrixPage(
    String title,
    List<String> incomparable,
    List<String> summary,
    List<String> impossible,
    List<String> description,
    List<String> notes,
    List<MatrixDots> dots,
    List<RatioMap> maps,
    List<Table> ratios,
    List<String> omitted,
    List<Findings> findings,
    List<Table> sizes,
    List<Plot> plots,
    List<Table> tables,
    List<Table> details,
    List<String> disturbed,
    List<String> troubles,
    List<String> commands,
    List<String> files,
    String scenario) {

  /** Returns the script that sorts the tables. */
  public Page.Scripts scripts() {
    return Page.Scripts.of(List.of());
  }

  /** Sentences below a heading. */
  public record Findings(String title, List<String> sentences) {}

  /** A table. */
  public record Table(String title, List<String> columns, List<List<String>> rows) {
    /** Returns the table without columns in which no row has a value. */
    Table withoutEmptyColumns() {
      List<Integer> filled =
          IntStream.range(0, columns.size())
              .filter(column -> !rows.stream().allMatch(row -> row.get(column).matches("-?")))
              .boxed()
              .toList();
      return new Table(
          title,
          filled.stream().map(columns::get).toList(),
          rows.stream().map(row -> filled.stream().map(row::get).toList()).toList());
    }
  }
}
