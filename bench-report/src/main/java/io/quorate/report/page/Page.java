// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.page;

import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import io.quorate.report.findings.Phrases;
import io.quorate.report.plot.Plot;
import io.quorate.report.plot.PlotSection;
import io.quorate.report.plot.RunPlots;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The content of a page about a run, in its order. All texts are plain: the template escapes them.
 * Lists without entries are empty.
 *
 * @param title of the scenario
 * @param incomparable what must not be compared with a published run; empty for other runs
 * @param parameters of the load, in one line; empty if the databases had different ones
 * @param chips short facts about the run
 * @param lost why the run must not be used, and which acknowledged keys are missing or wrong
 * @param overview ratios of a few values; without columns if there are none
 * @param colors color of each database by its name
 * @param loads load of each database by its name, if they had different ones
 * @param first plots next to the overview, of which one is seen at a time
 * @param tiles the most important of the other plots; of each entry one is seen at a time
 * @param recipes locks, elections and abandoned sessions
 * @param costs what requests cost the servers; without columns if nothing is known
 * @param diagnoses of each database that has one
 * @param limits of the scenario and the values of each database; without columns if there are none
 * @param caveats sentences: what keeps from concluding too much
 * @param description paragraphs
 * @param identity which run it is
 * @param results the result table; without columns if there is none
 * @param watchers their latencies and events, a row for each database and step; without columns if
 *     there were none
 * @param shards that the run was merged from, a row for each; without columns if there were none
 * @param tie by how much the best of a row has to be ahead
 * @param plots in the order of their sections
 * @param undrawn what could not be drawn, and why
 * @param errors of each database that had some
 * @param facts that all databases have in common
 * @param details what differs between the databases, a column for each
 * @param commands that make such a run again
 * @param scenario the text of the scenario file
 * @param files of the run, by where they are
 * @param scripts that draw plots anew, for a reader whose browser runs them
 */
public record Page(
    String title,
    List<String> incomparable,
    String parameters,
    List<Chip> chips,
    List<String> lost,
    List<CapacityView> capacities,
    RatioTable overview,
    Map<String, String> colors,
    Map<String, String> loads,
    List<DrawnPlot> first,
    List<List<DrawnPlot>> tiles,
    FaultTables faults,
    RecipeTables recipes,
    Table costs,
    List<DoctorTables> diagnoses,
    SoakTable soak,
    List<String> headline,
    LimitTable limits,
    List<String> caveats,
    List<String> description,
    List<Fact> identity,
    Table results,
    Table watchers,
    Table shards,
    String tie,
    List<String> notes,
    List<DrawnPlot> plots,
    List<String> undrawn,
    List<Errors> errors,
    List<Fact> facts,
    Table details,
    List<String> commands,
    String scenario,
    List<Files> files,
    Scripts scripts) {
  /**
   * Returns what must not be compared with a published run or matrix.
   *
   * @param tie difference that is a tie
   * @param once sentence that each value was measured once; empty if it was measured repeatedly
   */
  public static List<String> notToBeCompared(String tie, String once) {
    List<String> all = new ArrayList<>();
    all.add("absolute values of other machines, loads or scenarios");
    all.add("databases whose consistency or durability differs");
    all.add("latencies of steps beyond saturation: more clients only wait longer");
    if (!once.isEmpty()) {
      all.add("values within %s of each other: %s".formatted(tie, once));
    }
    all.add("percentiles of a handful of requests");
    return all;
  }

  /**
   * Returns the plots that are not seen at once, by section; plots of stalls are with the causes.
   */
  public List<Section> sections() {
    Set<String> seen =
        Stream.concat(first.stream(), tiles.stream().flatMap(List::stream))
            .map(DrawnPlot::id)
            .collect(Collectors.toSet());
    return Arrays.stream(PlotSection.values())
        .map(
            section ->
                new Section(
                    "plots-" + section.name().toLowerCase(Locale.ROOT),
                    section.title(),
                    plots.stream()
                        .filter(each -> each.plot().section() == section)
                        .filter(each -> !seen.contains(each.id()))
                        .toList()))
        .filter(section -> !section.plots().isEmpty())
        .toList();
  }

  /**
   * The scripts of a page.
   *
   * @param hashes of the sources, as a policy names them
   * @param styles of the library
   * @param data of the charts, as JSON without {@code <}, {@code >} and {@code &}
   * @param sources in their order
   */
  public record Scripts(String hashes, String styles, String data, List<String> sources) {
    /** Returns the scripts of a page with these plots. */
    public static Scripts of(List<DrawnPlot> plots) {
      return PageScripts.of(plots);
    }
  }

  /**
   * A short fact.
   *
   * @param state good, bad or empty
   */
  public record Chip(String text, String state) {}

  /** The plots of a section. */
  public record Section(String id, String title, List<DrawnPlot> plots) {}

  /**
   * The limits of a scenario.
   *
   * @param databases headings of the columns
   */
  public record LimitTable(List<String> databases, List<LimitRow> rows) {}

  /** A limit, with a cell for each database. */
  public record LimitRow(String limit, List<LimitCell> cells) {}

  /** The value of a database, and whether it keeps the limit. */
  public record LimitCell(String found, String outcome) {}

  /** A name and its value. */
  public record Fact(String name, String value) {}

  /**
   * A table whose first column heads its rows.
   *
   * @param columns headings without the first one
   * @param notes reasons why values of a row or column are not comparable without restriction
   */
  public record Table(List<String> columns, List<Row> rows, List<String> notes) {
    Table(List<String> columns, List<Row> rows) {
      this(columns, rows, List.of());
    }

    /**
     * Returns a table of rows with a text for each column, in the same order; the first one heads
     * the row. Without columns if there are no rows.
     */
    static Table of(List<Map<String, String>> rows) {
      return new Table(
          rows.stream().limit(1).flatMap(row -> row.keySet().stream().skip(1)).toList(),
          rows.stream()
              .map(row -> List.copyOf(row.values()))
              .map(
                  texts ->
                      new Row(
                          texts.get(0),
                          texts.stream().skip(1).map(text -> new Cell(text, false)).toList()))
              .toList());
    }

    static List<String> notes(Map<String, Set<String>> reasons) {
      return reasons.entrySet().stream()
          .map(
              each ->
                  each.getValue().isEmpty()
                      ? each.getKey() + "."
                      : each.getKey() + " (" + String.join(", ", each.getValue()) + ").")
          .map(Phrases::capitalized)
          .toList();
    }
  }

  /** Returns the paragraphs of a description, each on one line. */
  public static List<String> paragraphs(String description) {
    return Stream.of(description.split("\n\\s*\n"))
        .map(paragraph -> VisibleText.of(paragraph.strip().replaceAll("\\s+", " ")))
        .filter(paragraph -> !paragraph.isEmpty())
        .toList();
  }

  /** A row with a cell for each column. */
  public record Row(String name, List<Cell> cells) {}

  /**
   * A table of values with their ratios to the best value of their group.
   *
   * @param columns headings without the first one
   * @param selected number of the group that is shown first, from 1
   * @param notes reasons why values are not comparable without restriction, then legends of marks
   */
  public record RatioTable(
      List<String> columns, List<RatioGroup> groups, int selected, List<String> notes) {
    /** Returns whether a value of the table has a ratio. */
    public boolean hasRatios() {
      return cells().anyMatch(cell -> cell.ratioToBest().isPresent());
    }

    /** Returns whether a value of the table is marked as the best. */
    public boolean hasBest() {
      return cells().anyMatch(Cell::best);
    }

    private Stream<Cell> cells() {
      return groups.stream()
          .flatMap(group -> group.rows().stream())
          .flatMap(row -> row.cells().stream());
    }
  }

  /** Rows that are compared with each other. */
  public record RatioGroup(String title, List<Row> rows) {}

  /**
   * A cell of a table.
   *
   * @param best whether it is better than all others of its row or group by more than a tie
   * @param ratioToBest ratio to the best value; empty if the value is not compared
   * @param tie whether it is not known to be worse than the best value
   */
  public record Cell(String text, boolean best, OptionalDouble ratioToBest, boolean tie) {
    Cell(String text, boolean best) {
      this(text, best, OptionalDouble.empty(), true);
    }

    /** Returns the ratio with about three digits; empty if there is none. */
    public String ratio() {
      return ratioToBest.isEmpty() ? "" : NumberFormats.plainDigits(ratioToBest.getAsDouble());
    }

    /**
     * Returns the class for its distance from the best: {@code worst}, {@code worse}, or empty for
     * a tie.
     */
    public String shade() {
      double ratio = ratioToBest.orElse(1);
      double distance = Math.max(ratio, 1 / ratio);
      return tie || distance == 1 ? "" : distance >= 2 ? "worst" : "worse";
    }
  }

  /**
   * A plot and its files.
   *
   * @param id id of its element, by which a link finds it
   * @param files files with the picture and its data
   */
  public record DrawnPlot(String id, Plot plot, List<Link> files) {
    private DrawnPlot(Plot plot, List<Link> files) {
      this(plot.name().replaceFirst("^AVG-", ""), plot, files);
    }

    /** Returns all plots of a page without files. */
    public static List<DrawnPlot> withoutFiles(RunPlots plots) {
      return plots.drawn().stream().map(plot -> new DrawnPlot(plot, List.of())).toList();
    }

    /** Returns all plots, with links to their files. */
    public static List<DrawnPlot> all(RunPlots plots, RunFiles files) {
      return plots.drawn().stream().map(plot -> new DrawnPlot(plot, files.of(plot))).toList();
    }
  }

  /** A file below the directory of the run. */
  public record Link(String text, String href) {}

  /**
   * The errors of a database.
   *
   * @param more sentence about errors of other kinds; may be empty
   */
  public record Errors(String database, List<ErrorKind> kinds, String more) {}

  /** The number of requests that failed in one way. */
  public record ErrorKind(String kind, String message, String count, String part) {}

  /** The files of one directory. */
  public record Files(String name, List<Link> links) {}
}
