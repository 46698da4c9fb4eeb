// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.page;

import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import io.quorate.report.figures.CapacityStatement;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.figures.RunFigures;
import io.quorate.report.page.Page.Cell;
import io.quorate.report.page.Page.RatioGroup;
import io.quorate.report.page.Page.RatioTable;
import io.quorate.report.page.Page.Row;
import io.quorate.report.page.Page.Scripts;
import io.quorate.report.plot.draw.Card;
import io.quorate.results.MatrixManifest;
import io.quorate.results.manifest.Manifest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The content of the index of published runs: the values and ratios of the table at the top of each
 * run's page, which can be filtered. Repeated runs of a scenario share their rows. A matrix has one
 * row. All texts are plain: the template escapes them.
 *
 * @param machines load generators' machines
 * @param columns headings without the first one
 * @param notes explanations of marks, each once
 * @param hasErrata whether the results have a list of mistakes
 */
public record RunIndex(
    String title,
    List<String> machines,
    List<String> columns,
    List<Load> loads,
    List<String> notes,
    boolean hasErrata) {

  /** What runs are filtered by. */
  public enum Filter {
    DATABASE(manifest -> manifest.store().title()),
    VERSION(
        manifest ->
            manifest.store().title() + " " + manifest.store().servers().version().orElse("?")),
    SETTINGS(manifest -> manifest.store().settings().isEmpty() ? "default" : "chosen"),
    OPERATION(manifest -> manifest.load().operations()),
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
   * A run and its repeats, with the values of its last load, or a matrix.
   *
   * @param title of the scenario
   * @param runs the page of each run, or of the matrix
   * @param load number of clients, rate or operation; empty if the run has only one
   * @param facts what all of its rows have in common
   * @param band largest differences between two runs of one database; empty for a single run
   * @param remarks what else is known of the runs, with a page or without
   * @param sentence what the gallery says of the first run
   * @param picture of the first run; empty if it has none
   */
  public record Load(
      String title,
      List<Page.Link> runs,
      String load,
      String facts,
      String band,
      List<Entry> rows,
      List<Page.Link> remarks,
      String sentence,
      String picture) {}

  /**
   * A row.
   *
   * @param name version of a database, or the size of a matrix
   * @param values what it is filtered by, by the id of the filter
   * @param settings chosen settings of its servers; empty if there are none
   * @param outcome what it has instead of values; empty if it has values
   * @param part percentage of the highest throughput of the run; 0 if it is not known
   */
  public record Entry(
      String name,
      Map<String, String> values,
      String settings,
      String outcome,
      long part,
      List<Cell> cells) {}

  /** A run or matrix of the index, whose files need not exist any more. */
  public sealed interface Part permits Run, Matrix {
    /** Returns the load generators' machines. */
    List<String> machines();
  }

  /**
   * A matrix, whose page compares its cells.
   *
   * @param directory of the matrix below the index
   * @param first first run of its cells; empty if there is none
   * @param picture whether its directory has one
   */
  public record Matrix(
      String directory,
      MatrixManifest manifest,
      Optional<Run> first,
      List<Page.Link> remarks,
      boolean picture)
      implements Part {
    @Override
    public List<String> machines() {
      return first.map(Run::machines).orElse(List.of());
    }

    private Load load() {
      String each =
          manifest.repeats() == 1 ? "once" : NumberFormats.count(manifest.repeats(), "time");
      return new Load(
          VisibleText.of(manifest.title()),
          List.of(new Page.Link("page", directory + "/index.html")),
          "",
          "",
          "",
          List.of(
              new Entry(
                  NumberFormats.count(manifest.cells().size(), "cell"),
                  Map.of(Filter.SCENARIO.id(), VisibleText.of(manifest.name())),
                  "",
                  "a matrix, each cell run " + each,
                  0,
                  List.of())),
          remarks,
          VisibleText.of(manifest.description().replaceAll("\\s+", " ").split("(?<=\\.) ", 2)[0]),
          picture ? directory + "/" + Card.FILE : "");
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
    private final Map<String, String> outcomes = new LinkedHashMap<>();
    private final Map<String, String> loads;
    private final Overview overview;
    private final String sentence;
    private final List<Page.Link> remarks;
    private final String picture;

    /**
     * Reads a run.
     *
     * @param directory of the run below the index
     * @param picture whether its directory has one
     */
    public Run(String directory, RunFigures run, List<Page.Link> remarks, boolean picture) {
      this.remarks = remarks;
      this.picture = picture ? directory + "/" + Card.FILE : "";
      sentence = RunCard.sentence(run);
      this.directory = directory;
      title = VisibleText.of(run.run().title());
      RunInfo info = new RunInfo(run.run());
      facts = info.parameters();
      machines = info.machines();
      overview = new Overview(run);
      loads = RunPage.loads(run);
      for (DatabaseFigures each : run.databases()) {
        Manifest manifest = each.run().manifest();
        Map<String, String> of = new LinkedHashMap<>();
        for (Filter filter : Filter.values()) {
          of.put(filter.id(), VisibleText.of(filter.value.apply(manifest)));
        }
        values.put(each.name(), of);
        if (!each.capacities().isEmpty()) {
          outcomes.put(
              each.name(),
              each.capacities().stream()
                  .map(CapacityStatement::range)
                  .collect(Collectors.joining("; ")));
        }
        settings.put(
            each.name(),
            manifest.store().settingTexts().stream()
                .map(VisibleText::of)
                .collect(Collectors.joining(", ")));
      }
    }

    @Override
    public List<String> machines() {
      return machines;
    }

    private List<Object> repeated() {
      return List.of(
          title,
          facts,
          values,
          settings,
          remarks.stream().anyMatch(each -> each.text().equals("withdrawn")));
    }
  }

  /**
   * Returns the index of runs and matrices, in their order.
   *
   * @param hasErrata whether the results have a list of mistakes
   */
  public static RunIndex of(String title, List<Part> parts, boolean hasErrata) {
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
        loads.add(matrix.load());
      } else {
        loads.add(load(group.stream().map(Run.class::cast).toList(), notes));
      }
    }
    return new RunIndex(
        title,
        parts.stream().flatMap(each -> each.machines().stream()).distinct().toList(),
        Overview.columns(),
        loads,
        List.copyOf(notes),
        hasErrata);
  }

  /** Returns repeated runs with their last load, or with the outcomes of their searches. */
  private static Load load(List<Run> repeats, Set<String> notes) {
    Run first = repeats.get(0);
    List<Page.Link> pages = new ArrayList<>();
    for (Run each : repeats) {
      pages.add(new Page.Link("run " + (pages.size() + 1), each.directory + "/index.html"));
    }
    List<Page.Link> remarks =
        repeats.stream().flatMap(run -> run.remarks.stream()).distinct().toList();
    List<Entry> rows =
        first.outcomes.keySet().stream().map(name -> outcome(name, repeats)).toList();
    String load = "";
    String band = "";
    if (rows.isEmpty()) {
      List<Overview> overviews = repeats.stream().map(each -> each.overview).toList();
      RatioTable table = Overview.ofSteps(overviews);
      notes.addAll(table.notes());
      int last = table.groups().size() - 1;
      if (last >= 0) {
        RatioGroup group = table.groups().get(last);
        Map<String, Long> parts = Overview.parts(overviews, last);
        long count =
            table.groups().stream().filter(each -> !Overview.isOfWatches(each.title())).count();
        boolean isOneOf = count > 1 && !group.title().equals(Overview.ALL);
        load = group.title() + (isOneOf ? " (the last of %d loads)".formatted(count) : "");
        band = Overview.bands(overviews).get(last);
        rows =
            group.rows().stream()
                .map(row -> entry(first, row.name(), "", parts.getOrDefault(row.name(), 0L), row))
                .toList();
      }
    }
    return new Load(
        first.title, pages, load, first.facts, band, rows, remarks, first.sentence, first.picture);
  }

  private static Entry outcome(String name, List<Run> repeats) {
    String found =
        repeats.stream()
            .flatMap(run -> Stream.ofNullable(run.outcomes.get(name)))
            .collect(Collectors.joining("; "));
    return entry(repeats.get(0), name, found, 0, new Row(name, List.of()));
  }

  private static Entry entry(Run run, String name, String outcome, long part, Row row) {
    Map<String, String> values = run.values.getOrDefault(name, Map.of());
    return new Entry(
        Stream.concat(
                Stream.of(values.getOrDefault(Filter.VERSION.id(), name)),
                Stream.ofNullable(run.loads.get(name)))
            .collect(Collectors.joining(", ")),
        values,
        run.settings.getOrDefault(name, ""),
        outcome,
        part,
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
