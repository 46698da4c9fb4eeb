// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.page;

import io.quorate.ByteSize;
import io.quorate.ShellText;
import io.quorate.VisibleText;
import io.quorate.cli.Colors;
import io.quorate.format.ConsoleText;
import io.quorate.format.NumberFormats;
import io.quorate.measure.Verification;
import io.quorate.report.doctor.Diagnosis;
import io.quorate.report.figures.Basis;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.figures.LimitResult;
import io.quorate.report.figures.OutageStatement;
import io.quorate.report.figures.Reservation;
import io.quorate.report.figures.RunFigures;
import io.quorate.report.findings.Footnotes;
import io.quorate.report.findings.Headline;
import io.quorate.results.RunDirectory;
import io.quorate.results.manifest.LoadInfo;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.ServerInfo;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The end of the console output of a run: what ran, a table with its steps side by side, the most
 * important result in a sentence, what limited it, and what was verified.
 */
public record ConsoleSummary(RunFigures figures, Collection<Diagnosis> diagnoses, Colors colors) {
  /** Marks of values, and what they mean; a run that decides nothing has none. */
  private static final Map<Reservation, String> MARKS =
      new EnumMap<>(
          Map.of(
              Reservation.DISTURBED,
                  "\u2021 other processes or the load generator's delay took too much of the time",
              Reservation.COLD, "\u00a7 the load generator was not warm, so nothing is compared",
              Reservation.ENDED_EARLY, "\u00b6 ended early or goes on, so nothing is compared",
              Reservation.LATE, "\u2020 the load generator sent requests late",
              Reservation.GENERATOR_DELAY,
                  "~ over 10% of this value is delay of the load generator"));

  private static final int REPEATS = 6;

  /**
   * Returns the lines, without line ends. Tables are as wide as the terminal, sentences may be
   * longer.
   */
  public List<String> lines() {
    List<String> lines = new ArrayList<>(List.of(title()));
    boolean isOther =
        figures.run().isSearch()
            || figures.compared().stream().anyMatch(each -> each.faults().isPresent());
    for (List<String> section :
        List.of(
            thresholds(),
            figures.databases().stream().flatMap(ConsoleSummary::capacities).toList(),
            isOther ? List.<String>of() : table(),
            incomplete(),
            new FaultTables(figures).lines(colors),
            new SoakTable(figures).lines(),
            new RecipeTables(figures).lines(),
            Stream.concat(
                    Footnotes.shards(figures).stream(), Footnotes.withoutManifest(figures).stream())
                .toList(),
            Stream.concat(result(isOther).stream(), verified().stream()).toList())) {
      if (!section.isEmpty()) {
        lines.add("");
        lines.addAll(section);
      }
    }
    return lines;
  }

  private String title() {
    List<Manifest> manifests =
        figures.databases().stream().map(each -> each.run().manifest()).toList();
    if (manifests.isEmpty()) {
      return VisibleText.of(figures.run().title());
    }
    LoadInfo load = manifests.get(0).load();
    List<String> parts = new ArrayList<>();
    parts.add(
        load.operations()
            + (load.mix().usesKeys()
                ? ", %s keys, %s values%s"
                    .formatted(
                        size(load.keyBytes()),
                        size(load.valueBytes()),
                        load.values().isFixed() ? "" : " on average")
                : ""));
    double scale = manifests.get(0).scenario().scale();
    if (scale != 1) {
      parts.add(NumberFormats.shortest(100 * scale) + "% of the requests");
    }
    parts.add(
        manifests.stream()
            .map(ConsoleSummary::servers)
            .distinct()
            .collect(Collectors.joining(" or ")));
    parts.add("1 run");
    return String.join(" \u00b7 ", parts);
  }

  private static String size(int bytes) {
    String text = ByteSize.text(bytes);
    return Character.isDigit(text.charAt(text.length() - 1))
        ? NumberFormats.commas(bytes) + " B"
        : text.replaceFirst("(?=[A-Za-z])", " ");
  }

  private static String servers(Manifest manifest) {
    ServerInfo servers = manifest.store().servers();
    if (servers.members().isEmpty()) {
      return "no servers";
    }
    String members = NumberFormats.count(servers.members().size(), "member");
    String where =
        servers
            .hosting()
            .map(
                hosting ->
                    switch (hosting) {
                      case LOCAL ->
                          ", on one machine (%s)"
                              .formatted(NumberFormats.count(manifest.host().cores(), "core"));
                      case GIVEN -> " of an existing cluster";
                      case AGENTS -> " of agents";
                    })
            .orElse("");
    return members + where;
  }

  /** Returns the outcomes of searches, of which the title has told what was measured. */
  private static Stream<String> capacities(DatabaseFigures database) {
    return database.capacities().stream()
        .flatMap(
            found ->
                Stream.of(
                        database.capacities().size() > 1
                            ? found.headline()
                            : database.name()
                                + found.headline().substring(found.headline().indexOf(": ")),
                        "  " + found.gaveWay())
                    .map(VisibleText::of));
  }

  /** Returns broken and undecided thresholds, then the number of those that were kept. */
  private List<String> thresholds() {
    List<String> lines = new ArrayList<>();
    add(DatabaseFigures::brokenLimits, colors::bad, lines);
    add(DatabaseFigures::undecidedLimits, text -> colors.warning("~ ") + text, lines);
    long all = figures.databases().stream().mapToLong(each -> each.limits().size()).sum();
    long kept =
        figures.databases().stream()
            .flatMap(each -> each.limits().stream())
            .filter(LimitResult::isKept)
            .count();
    if (kept > 0) {
      lines.add(
          colors.good(
              kept == all
                  ? "all thresholds kept"
                  : "%d of %d thresholds kept".formatted(kept, all)));
    }
    return lines;
  }

  private void add(
      Function<DatabaseFigures, List<LimitResult>> of,
      Function<String, String> line,
      List<String> lines) {
    for (DatabaseFigures each : figures.databases()) {
      for (LimitResult limit : of.apply(each)) {
        lines.add(
            line.apply(
                "%s   %s %s%s"
                    .formatted(
                        limit.limit(),
                        each.name(),
                        limit.reason().replaceFirst("^found ", ""),
                        limit.isUndecided() ? ": undecided" : "")));
      }
    }
  }

  private List<String> table() {
    Overview overview = new Overview(figures);
    List<OverviewGroup> groups = overview.comparable();
    if (groups.isEmpty()) {
      return List.of();
    }
    List<String> names =
        groups.stream()
            .flatMap(each -> each.rows().stream())
            .map(OverviewRow::database)
            .distinct()
            .toList();
    List<List<String>> fixed = new ArrayList<>(List.of(names(names, groups)));
    boolean byLoad = figures.compared().stream().anyMatch(each -> each.byLoad().size() > 1);
    List<OverviewGroup> counted =
        byLoad ? groups : groups.subList(groups.size() - 1, groups.size());
    fixed.add(counts("errors", names, counted, OverviewRow::errors));
    if (counted.stream()
        .flatMap(each -> each.rows().stream())
        .anyMatch(row -> row.dropped().orElse(0) > 0)) {
      fixed.add(counts("dropped", names, counted, OverviewRow::dropped));
    }
    List<List<String>> blocks =
        groups.stream().map(group -> block(group, names, groups.size() == 1)).toList();
    int first = groups.size() - 1;
    while (first > 0
        && ConsoleText.width(
                ConsoleText.sideBySide(
                    Stream.concat(fixed.stream(), blocks.stream().skip(first - 1)).toList()))
            <= ConsoleText.WIDTH) {
      first--;
    }
    fixed.addAll(1, blocks.subList(first, blocks.size()));
    List<String> lines = new ArrayList<>(ConsoleText.sideBySide(fixed));
    lines.removeIf(String::isBlank); // the title of a single group
    if (first > 0) {
      lines.add(
          "the last %d of %d steps; all are on the page"
              .formatted(groups.size() - first, groups.size()));
    }
    List<OverviewGroup> shown = groups.subList(first, groups.size());
    MARKS.forEach(
        (reservation, legend) -> {
          if (shown.stream().anyMatch(each -> marks(each).contains(legend.substring(0, 1)))) {
            lines.add(legend);
          }
        });
    return lines;
  }

  /** Returns the first column; those that are ahead in the last group stand out. */
  private List<String> names(List<String> names, List<OverviewGroup> groups) {
    OverviewGroup last = groups.get(groups.size() - 1);
    List<String> best =
        last.rows().stream()
            .filter(row -> OverviewColumn.THROUGHPUT.cell(row, last).best())
            .map(OverviewRow::database)
            .toList();
    List<String> lines = new ArrayList<>(List.of("", ""));
    names.forEach(name -> lines.add(best.contains(name) ? colors.best(name) : name));
    return lines;
  }

  private static List<String> counts(
      String title,
      List<String> names,
      List<OverviewGroup> groups,
      Function<OverviewRow, OptionalLong> count) {
    List<List<String>> rows = new ArrayList<>(List.of(List.of(""), List.of(title)));
    for (String name : names) {
      List<Long> known =
          groups.stream()
              .flatMap(group -> group.rows().stream())
              .filter(row -> row.database().equals(name))
              .flatMap(row -> count.apply(row).stream().boxed())
              .toList();
      rows.add(
          List.of(
              known.isEmpty()
                  ? Overview.MISSING
                  : NumberFormats.commas(known.stream().mapToLong(Long::longValue).sum())));
    }
    return ConsoleText.table(rows, column -> false);
  }

  /** Returns the columns of a group: its title above a value of each of its rows. */
  private List<String> block(OverviewGroup group, List<String> names, boolean isOnly) {
    List<OverviewColumn> columns =
        Stream.of(OverviewColumn.THROUGHPUT, OverviewColumn.P50, OverviewColumn.P99)
            .filter(column -> isOnly || column != OverviewColumn.P50)
            .filter(
                column ->
                    group.rows().stream().anyMatch(row -> column.figure.apply(row).isPresent()))
            .toList();
    boolean marked = !marks(group).isEmpty();
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        columns.stream()
            .map(column -> column == OverviewColumn.THROUGHPUT ? "/s" : column.title.split(" ")[0])
            .map(head -> marked ? head + " " : head)
            .toList());
    for (String name : names) {
      rows.add(
          columns.stream()
              .map(
                  column ->
                      group.rows().stream()
                          .filter(row -> row.database().equals(name))
                          .findFirst()
                          .map(row -> text(row, column, marked))
                          .orElse(Overview.MISSING))
              .toList());
    }
    List<String> lines = new ArrayList<>(ConsoleText.table(rows, column -> false));
    String title = group.title();
    int gap = ConsoleText.width(lines) - title.length();
    if (gap < 0) {
      lines.replaceAll(line -> " ".repeat(-gap) + line);
    }
    lines.add(0, " ".repeat(Math.max(0, gap)) + title);
    return lines;
  }

  private String text(OverviewRow row, OverviewColumn column, boolean marked) {
    OptionalDouble value = column.figure.apply(row);
    if (value.isEmpty()) {
      return Overview.MISSING + (marked ? " " : "");
    }
    String mark = mark(row.basis(column));
    return column.format.apply(value.getAsDouble())
        + (column == OverviewColumn.THROUGHPUT ? "" : " ms")
        + (mark.isEmpty() && marked ? " " : colors.warning(mark));
  }

  /** Returns the mark of a value, of which there is one at most. */
  private String mark(Basis basis) {
    return figures.doNotUse().isPresent()
        ? ""
        : MARKS.entrySet().stream()
            .filter(each -> basis.own().contains(each.getKey()))
            .map(each -> each.getValue().substring(0, 1))
            .findFirst()
            .orElse("");
  }

  private String marks(OverviewGroup group) {
    return group.rows().stream()
        .flatMap(
            row ->
                Stream.of(OverviewColumn.values())
                    .filter(OverviewColumn::hasRatio)
                    .filter(column -> column.figure.apply(row).isPresent())
                    .map(column -> mark(row.basis(column))))
        .collect(Collectors.joining());
  }

  private List<String> incomplete() {
    return figures.databases().stream()
        .filter(each -> !each.isComplete())
        .map(
            each ->
                each.total().isPresent()
                    ? colors.warning(Footnotes.ending(each))
                    : colors.bad(Footnotes.ending(each)))
        .toList();
  }

  /**
   * Returns the result, or why there is none, and what limits it.
   *
   * @param isOther whether throughput is not the result, as the run had faults or a search
   */
  private List<String> result(boolean isOther) {
    List<String> lines = new ArrayList<>();
    figures.doNotUse().map(colors::warning).ifPresent(lines::add);
    Optional<String> result = Headline.result(figures).filter(any -> !isOther);
    result.ifPresent(lines::add);
    Map<String, List<String>> limits = new LinkedHashMap<>();
    for (Diagnosis each : diagnoses) {
      each.limiting()
          .ifPresent(
              use ->
                  limits
                      .computeIfAbsent(use.name(), any -> new ArrayList<>())
                      .add(each.name() + " " + use.utilizationText()));
    }
    limits.forEach(
        (resource, busy) ->
            lines.add(
                VisibleText.of(
                    "Limited by %s (%s busy).".formatted(resource, String.join(", ", busy)))));
    if (figures.compared().size() > 1
        && figures.doNotUse().isEmpty()
        && result.filter(text -> !text.contains(" are not compared: ")).isPresent()) {
      lines.add("One run: repeat before you decide.");
    }
    return lines;
  }

  /** Returns what was read back: a line for all databases, or one for each if one is wrong. */
  private List<String> verified() {
    Map<DatabaseFigures, Verification> found = new LinkedHashMap<>();
    figures
        .databases()
        .forEach(
            each -> each.run().manifest().verification().ifPresent(read -> found.put(each, read)));
    boolean allRight =
        found.entrySet().stream()
            .allMatch(
                each ->
                    isIntact(each.getKey(), each.getValue()) && each.getValue().valuesCompared());
    if (allRight && !found.isEmpty()) {
      long read = found.values().stream().mapToLong(Verification::readKeys).sum();
      long all = found.values().stream().mapToLong(Verification::acknowledgedKeys).sum();
      return all == 0
          ? List.of()
          : List.of(
              colors.good(
                  (read == all ? "" : NumberFormats.commas(read) + " of ")
                      + NumberFormats.count(all, "acknowledged write")
                      + " read back, all correct"));
    }
    return found.entrySet().stream()
        .map(
            each ->
                colors.mark(
                    isIntact(each.getKey(), each.getValue()),
                    each.getKey().name()
                        + ": "
                        + VisibleText.of(each.getValue().text(isLost(each.getKey())))))
        .toList();
  }

  private static boolean isIntact(DatabaseFigures database, Verification found) {
    return !found.failed() && found.isComplete() && !isLost(database);
  }

  private static boolean isLost(DatabaseFigures database) {
    return database.outages().filter(OutageStatement::violated).isPresent();
  }

  /** Returns where the page is, and the commands to go on with. */
  public List<String> next(RunDirectory directory) {
    String run = shown(directory.path());
    if (figures.run().databases().isEmpty()) {
      return List.of("run     " + run);
    }
    List<String> lines = new ArrayList<>(List.of("page    " + shown(directory.page())));
    if (!diagnoses.isEmpty()) {
      lines.add("why     ./quorate doctor " + ShellText.quoted(run));
    }
    new Reproduction(figures.run())
        .again(REPEATS)
        .map(command -> withCopy(command, directory.path().resolve(Reproduction.SCENARIO)))
        .ifPresent(command -> lines.add("repeat  " + command));
    return lines;
  }

  /** Returns a command with the path of the scenario that was published with the run, if it was. */
  private static String withCopy(String command, Path copy) {
    String path = Files.exists(copy) ? ShellText.quoted(shown(copy)) : Reproduction.SCENARIO;
    return command.replace(" " + Reproduction.SCENARIO, " " + path);
  }

  /** Returns a path as it is shown: relative if it is below the current directory. */
  public static String shown(Path path) {
    Path here = Path.of("").toAbsolutePath();
    Path absolute = path.toAbsolutePath().normalize();
    return VisibleText.of(
        (absolute.startsWith(here) ? here.relativize(absolute) : absolute).toString());
  }
}
