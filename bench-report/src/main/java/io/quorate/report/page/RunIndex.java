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

/**
 * The content of the index of published runs: the values and ratios of the table at the top of each
 * run's page, which can be filtered. Repeated runs of a scenario share their rows. All texts are
 * plain: the template escapes them.
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
    STORE(manifest -> manifest.store().title()),
    VERSION(
        manifest ->
            manifest.store().name() + " " + manifest.store().servers().version().orElse("?")),
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
   * The databases with the same load of a run and its repeats, whose values are compared.
   *
   * @param title of the scenario
   * @param runs the page of each run
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
   * @param values what it is filtered by, by the id of the filter
   * @param settings chosen settings of its servers; empty if there are none
   */
  public record Entry(String name, Map<String, String> values, String settings, List<Cell> cells) {}

  /** What the index needs to know of a run, whose files need not exist any more. */
  public static final class Run {
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

    private List<Object> repeated() {
      return List.of(title, facts, values, settings);
    }
  }

  /** Returns the index of runs, in their order. */
  public static RunIndex of(String title, List<Run> runs) {
    List<Load> loads = new ArrayList<>();
    Set<String> notes = new LinkedHashSet<>();
    List<String> columns = new ArrayList<>();
    runs.stream()
        .collect(Collectors.groupingBy(Run::repeated, LinkedHashMap::new, Collectors.toList()))
        .values()
        .forEach(
            repeats -> {
              List<Overview> overviews = repeats.stream().map(each -> each.overview).toList();
              RatioTable table = Overview.ofSteps(overviews);
              List<String> bands = Overview.bands(overviews);
              for (int i = 0; i < table.groups().size(); i++) {
                loads.add(load(repeats, table.groups().get(i), bands.get(i)));
              }
              notes.addAll(table.notes());
              columns.clear();
              columns.addAll(table.columns());
            });
    return new RunIndex(
        title,
        runs.stream().flatMap(each -> each.machines.stream()).distinct().toList(),
        columns,
        loads,
        List.copyOf(notes));
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
