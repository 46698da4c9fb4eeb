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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The content of the index of published runs: the values and ratios of the table at the top of each
 * run's page, which can be filtered. All texts are plain: the template escapes them.
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
   * The databases with the same load of a run, whose values are compared.
   *
   * @param title of the scenario
   * @param href address of the page
   * @param load number of clients, rate or operation; empty if the run has only one
   * @param facts what all of its rows have in common
   */
  public record Load(String title, String href, String load, String facts, List<Entry> rows) {}

  /** The values of a database, with what it is filtered by, by the id of the filter. */
  public record Entry(String name, Map<String, String> values, List<Cell> cells) {}

  /**
   * Returns the index of one run.
   *
   * @param directory of the run below the index
   */
  public static RunIndex of(String directory, RunFigures run) {
    RatioTable table = new Overview(run).ofSteps();
    RunInfo facts = new RunInfo(run.run());
    return new RunIndex(
        "",
        facts.machines(),
        table.columns(),
        table.groups().stream().map(group -> load(directory, run, facts, group)).toList(),
        table.notes());
  }

  /** Returns the index of all runs of some indexes, in their order. */
  public static RunIndex together(String title, List<RunIndex> parts) {
    return new RunIndex(
        title,
        parts.stream().flatMap(each -> each.machines.stream()).distinct().toList(),
        parts.stream().limit(1).flatMap(each -> each.columns.stream()).toList(),
        parts.stream().flatMap(each -> each.loads.stream()).toList(),
        parts.stream().flatMap(each -> each.notes.stream()).distinct().toList());
  }

  private static Load load(String directory, RunFigures run, RunInfo facts, RatioGroup group) {
    Map<String, Map<String, String>> values = new LinkedHashMap<>();
    for (DatabaseFigures each : run.databases()) {
      Manifest manifest = each.run().manifest();
      Map<String, String> of = new LinkedHashMap<>();
      for (Filter filter : Filter.values()) {
        of.put(filter.id(), VisibleText.of(filter.value.apply(manifest)));
      }
      values.put(each.name(), of);
    }
    return new Load(
        VisibleText.of(run.run().title()),
        directory + "/index.html",
        group.title(),
        facts.parameters(),
        group.rows().stream()
            .map(row -> entry(row, values.getOrDefault(row.name(), Map.of())))
            .toList());
  }

  private static Entry entry(Row row, Map<String, String> values) {
    return new Entry(values.getOrDefault(Filter.VERSION.id(), row.name()), values, row.cells());
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
