// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.page;

import io.quorate.VisibleText;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.figures.RunFigures;
import io.quorate.report.page.Page.Cell;
import io.quorate.report.page.Page.RatioGroup;
import io.quorate.report.page.Page.RatioTable;
import io.quorate.report.page.Page.Row;
import io.quorate.report.page.Page.Scripts;
import io.quorate.results.MatrixManifest;
import io.quorate.results.manifest.Manifest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The content of the index of published runs: the values and ratios of the table at the top of each
 * run's page, which can be filtered. Repeated runs of a scenario share their rows. A matrix has a
 * row for each cell. All texts are plain: the template escapes them.
 *
 * @param machines load generators' machines
 * @param columns headings without the first one
 * @param notes explanations of marks, each once
 */
public record RunIndex(
    String title,
    List<String> machines,
    List<String> columns,
    List<Load> loads,
    List<String> notes) {

  /** What runs are filtered by. */
  public enum Filter {
    DATABASE(manifest -> manifest.store().title()),
    VERSION(
        manifest ->
            manifest.store().title() + " " + manifest.store().servers().version().orElse("?")),
    SETTINGS(manifest -> manifest.store().settings().isEmpty() ? "default" : "chosen"),
    OPERATION(manifest -> manifest.load().mix().toString()),
    READS(manifest -> manifest.load().mix().reads() ? manifest.load().consistency().id() : "none"),
    SCENARIO(manifest -> manifest.scenario().name());

    private final Function<Manifest, String> value;

    Filter(Function<Manifest, String> value) {
      this.value = value;
    }

    /** Returns its name in the address of the page. */
    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * The databases with the same load of a run and its repeats, whose values are compared, or the
   * cells of a matrix, which are not.
   *
   * @param title of the scenario
   * @param runs the page of each run, or of the matrix
   * @param load number of clients, rate or operation; empty if the run has only one
   * @param facts what all of its rows have in common
   * @param band largest differences between two runs of one database; empty for a single run
   */
  public record Load(
      String title,
      List<Page.Link> runs,
      String load,
      String facts,
      String band,
      List<Entry> rows) {}

  /**
   * The values of a database.
   *
   * @param name its version, or the label of a cell
   * @param values what it is filtered by, by the id of the filter
   * @param settings chosen settings of its servers; empty if there are none
   */
  public record Entry(String name, Map<String, String> values, String settings, List<Cell> cells) {}

  /** A run or matrix of the index, whose files need not exist any more. */
  public sealed interface Part permits Run, Matrix {
    /** Returns the load generators' machines. */
    List<String> machines();
  }

  /**
   * A matrix, whose cells have different loads.
   *
   * @param directory of the matrix below the index
   * @param cells runs of each cell
   */
  public record Matrix(
      String directory, MatrixManifest manifest, Map<MatrixManifest.Cell, List<Run>> cells)
      implements Part {
    @Override
    public List<String> machines() {
      return runs().flatMap(run -> run.machines().stream()).distinct().toList();
    }

    private Stream<Run> runs() {
      return cells.values().stream().flatMap(List::stream);
    }

    private Load load(Set<String> notes) {
      List<Entry> rows = new ArrayList<>();
      cells.forEach(
          (cell, repeats) -> {
            RatioTable table = Overview.ofSteps(overviews(repeats));
            notes.addAll(table.notes());
            String label = VisibleText.of(cell.label());
            for (RatioGroup step : table.groups()) {
              String name = step.title().isEmpty() ? label : label + ", " + step.title();
              step.rows().forEach(row -> rows.add(entry(name, repeats.get(0), row)));
            }
          });
      List<String> facts = runs().map(run -> run.facts).distinct().toList();
      String pages =
          manifest.repeats() == 1
              ? "1 run of each cell"
              : manifest.repeats() + " runs of each cell";
      return new Load(
          VisibleText.of(manifest.title()),
          List.of(new Page.Link(pages, directory + "/index.html")),
          "",
          facts.size() == 1 ? facts.get(0) : "",
          Overview.band(cells.values().stream().map(RunIndex::overviews).toList()),
          rows);
    }

    /** Returns a row; its scenario is the matrix, as each cell has a separate one. */
    private Entry entry(String name, Run run, Row row) {
      Map<String, String> values =
          new LinkedHashMap<>(run.values.getOrDefault(row.name(), Map.of()));
      values.put(Filter.SCENARIO.id(), VisibleText.of(manifest.name()));
      return new Entry(name, values, run.settings.getOrDefault(row.name(), ""), row.cells());
    }
  }

  /** What the index needs to know of a run. */
  public static final class Run implements Part {
    private final String directory;
    private final String title;
    private final String facts;
    private final List<String> machines;
    private final Map<String, Map<String, String>> values = new LinkedHashMap<>();
    private final Map<String, String> settings = new LinkedHashMap<>();
    private final Overview overview;

    /**
     * Reads a run.
     *
     * @param directory of the run below the index
     */
    public Run(String directory, RunFigures run) {
      this.directory = directory;
      title = VisibleText.of(run.run().title());
      RunInfo info = new RunInfo(run.run());
      facts = info.parameters();
      machines = info.machines();
      overview = new Overview(run);
      for (DatabaseFigures each : run.databases()) {
        Manifest manifest = each.run().manifest();
        Map<String, String> of = new LinkedHashMap<>();
        for (Filter filter : Filter.values()) {
          of.put(filter.id(), VisibleText.of(filter.value.apply(manifest)));
        }
        values.put(each.name(), of);
        settings.put(
            each.name(),
            manifest.store().settings().entrySet().stream()
                .map(setting -> setting.getKey() + " " + setting.getValue())
                .map(VisibleText::of)
                .collect(Collectors.joining(", ")));
      }
    }

    @Override
    public List<String> machines() {
      return machines;
    }

    private List<Object> repeated() {
      return List.of(title, facts, values, settings);
    }
  }

  /** Returns the index of runs and matrices, in their order. */
  public static RunIndex of(String title, List<Part> parts) {
    List<Load> loads = new ArrayList<>();
    Set<String> notes = new LinkedHashSet<>();
    Map<Object, List<Part>> repeated =
        parts.stream()
            .collect(
                Collectors.groupingBy(
                    part -> part instanceof Run run ? run.repeated() : part,
                    LinkedHashMap::new,
                    Collectors.toList()));
    for (List<Part> group : repeated.values()) {
      if (group.get(0) instanceof Matrix matrix) {
        loads.add(matrix.load(notes));
      } else {
        loads.addAll(loads(group.stream().map(Run.class::cast).toList(), notes));
      }
    }
    return new RunIndex(
        title,
        parts.stream().flatMap(each -> each.machines().stream()).distinct().toList(),
        Overview.columns(),
        loads,
        List.copyOf(notes));
  }

  private static List<Overview> overviews(List<Run> repeats) {
    return repeats.stream().map(each -> each.overview).toList();
  }

  private static List<Load> loads(List<Run> repeats, Set<String> notes) {
    List<Overview> overviews = overviews(repeats);
    RatioTable table = Overview.ofSteps(overviews);
    notes.addAll(table.notes());
    List<String> bands = Overview.bands(overviews);
    return IntStream.range(0, table.groups().size())
        .mapToObj(i -> load(repeats, table.groups().get(i), bands.get(i)))
        .toList();
  }

  private static Load load(List<Run> repeats, RatioGroup group, String band) {
    Run first = repeats.get(0);
    List<Page.Link> pages = new ArrayList<>();
    for (Run each : repeats) {
      pages.add(new Page.Link("run " + (pages.size() + 1), each.directory + "/index.html"));
    }
    return new Load(
        first.title,
        pages,
        group.title(),
        first.facts,
        band,
        group.rows().stream().map(row -> entry(first, row)).toList());
  }

  private static Entry entry(Run run, Row row) {
    Map<String, String> values = run.values.getOrDefault(row.name(), Map.of());
    return new Entry(
        values.getOrDefault(Filter.VERSION.id(), row.name()),
        values,
        run.settings.getOrDefault(row.name(), ""),
        row.cells());
  }

  /** Returns the values of each filter that differ between rows, by name. */
  public Map<String, List<String>> chips() {
    Map<String, List<String>> chips = new LinkedHashMap<>();
    for (Filter filter : Filter.values()) {
      TreeSet<String> values = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
      loads.stream()
          .flatMap(load -> load.rows().stream())
          .filter(row -> row.values().containsKey(filter.id()))
          .forEach(row -> values.add(row.values().get(filter.id())));
      if (values.size() > 1) {
        chips.put(filter.id(), List.copyOf(values));
      }
    }
    return chips;
  }

  /** Returns the script that filters rows. */
  public Scripts scripts() {
    return PageScripts.only("published.js");
  }
}
