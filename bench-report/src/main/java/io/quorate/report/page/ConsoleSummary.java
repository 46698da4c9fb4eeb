// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.page;

import io.quorate.ShellText;
import io.quorate.VisibleText;
import io.quorate.cli.Colors;
import io.quorate.format.NumberFormats;
import io.quorate.measure.Verification;
import io.quorate.report.doctor.Diagnosis;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.figures.LimitResult;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The end of the console output of a run: what ran, a table with its steps side by side, the most
 * important result in a sentence, what limited it, and what was verified.
 */
public record ConsoleSummary(RunFigures figures, Collection<Diagnosis> diagnoses, Colors colors) {
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
            isOther ? List.<String>of() : new ConsoleTable(figures, colors).lines(),
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
    parts.add(load.operations() + load.sizes().map(", "::concat).orElse(""));
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

  private static String servers(Manifest manifest) {
    ServerInfo servers = manifest.store().servers();
    if (servers.members().isEmpty()) {
      return "no servers";
    }
    String members = servers.count();
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

  private List<String> incomplete() {
    return figures.databases().stream()
        .filter(each -> !each.isComplete())
        .map(
            each ->
                each.total().isPresent() || each.run().manifest().isRunning()
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
                      + NumberFormats.count(all, "acknowledged key")
                      + " read back, all correct"));
    }
    return found.entrySet().stream()
        .map(
            each ->
                colors.mark(
                    isIntact(each.getKey(), each.getValue()),
                    each.getKey().name()
                        + ": "
                        + VisibleText.of(each.getValue().text(each.getKey().violated()))))
        .toList();
  }

  private static boolean isIntact(DatabaseFigures database, Verification found) {
    return !found.failed() && found.isComplete() && !database.violated();
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
    Reproduction repetition = new Reproduction(figures.run());
    Optional<String> again = repetition.again(REPEATS);
    again
        .map(command -> withCopy(command, directory.path().resolve(Reproduction.SCENARIO)))
        .ifPresent(command -> lines.add("repeat  " + command));
    again.flatMap(any -> repetition.missing()).ifPresent(what -> lines.add("        " + what));
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
