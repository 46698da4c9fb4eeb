// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.compare;

import io.quorate.QuorateException;
import io.quorate.ShellText;
import io.quorate.VisibleText;
import io.quorate.cli.Quorate;
import io.quorate.cli.QuorateCommand;
import io.quorate.format.ConsoleText;
import io.quorate.format.NumberFormats;
import io.quorate.report.judge.Family.Limits;
import io.quorate.report.page.ConsoleSummary;
import io.quorate.results.OpenRuns;
import io.quorate.results.RunDirectory;
import io.quorate.scenario.GateRule;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code quorate compare} command: compares runs with those of a baseline. */
@Command(name = "compare", resourceBundle = "io.quorate.report.commands")
public final class CompareCommand extends QuorateCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "BASELINE", descriptionKey = "baseline")
  private String baseline;

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "CANDIDATE",
      descriptionKey = "candidate")
  private List<String> candidates = List.of();

  @Option(names = "--aa", paramLabel = "DIR")
  private Optional<String> aa = Optional.empty();

  @Option(names = "--fail-on", paramLabel = "RULE", split = ",")
  private List<String> rules = List.of();

  @Option(names = "--threshold", paramLabel = "PERCENT", defaultValue = "1")
  private double threshold;

  @Option(names = "--margin", paramLabel = "PERCENT", defaultValue = "5")
  private double margin;

  @Option(names = "--anyway")
  private boolean anyway;

  @Option(names = "--ignore", paramLabel = "CONDITION", split = ",")
  private List<String> ignored = List.of();

  @Option(names = "--gate-only", hidden = true)
  private boolean gateOnly;

  @Option(names = "--json")
  private boolean json;

  @Option(names = "--markdown")
  private boolean markdown;

  @Option(names = "--output", paramLabel = "DIR")
  private Optional<Path> output = Optional.empty();

  @Override
  public Integer call() {
    return OpenRuns.with(this::compare);
  }

  private int compare(OpenRuns runs) {
    List<GateRule> gate = ComparisonReport.rules(rules, this::wrongUsage);
    Limits limits = limits();
    requireKnownConditions();
    if (candidates.isEmpty() && (aa.isPresent() || !gate.isEmpty())) {
      throw wrongUsage(
          (aa.isPresent() ? "--aa" : "--fail-on")
              + ": found no candidate, expected one after the baseline."
              + " Without a candidate, all changes are noise");
    }
    if (json && candidates.size() > 1) {
      throw wrongUsage("--json: found several candidates, expected one: one document is printed");
    }
    Side before = Side.read(baseline, runs);
    ComparisonReport.Accepted accepted = new ComparisonReport.Accepted(anyway, ignored);
    ComparisonReport report =
        candidates.isEmpty()
            ? ComparisonReport.ofItself(before, limits, accepted)
            : ComparisonReport.of(
                before,
                candidates.stream().map(each -> Side.read(each, runs)).toList(),
                aa.map(each -> Side.read(each, runs)),
                gate,
                limits,
                accepted);
    if (gateOnly) {
      print(report.gate());
    } else {
      print(report, write(report));
    }
    return switch (report.outcome()) {
      case PASSED -> 0;
      case INCONCLUSIVE -> Quorate.UNDECIDED;
      case FAILED -> Quorate.LIMIT_BROKEN;
    };
  }

  private Limits limits() {
    if (!(threshold >= 0 && threshold < 100 && margin >= 0 && margin < 100)) {
      throw wrongUsage("--threshold and --margin: expected a percentage from 0 to 99");
    }
    if (margin < threshold) {
      throw wrongUsage(
          "--margin: expected at least the threshold, or some changes are never decided");
    }
    return new Limits(threshold / 100, margin / 100, Limits.USUAL.tie());
  }

  private void requireKnownConditions() {
    List<String> known =
        Stream.concat(Condition.ids().stream(), Stream.of(Comparison.DATABASE, Comparison.ORDER))
            .toList();
    List<String> unknown = ignored.stream().filter(each -> !known.contains(each)).toList();
    if (!unknown.isEmpty()) {
      throw wrongUsage(
          "--ignore: found %s, expected some of %s"
              .formatted(VisibleText.quoted(String.join(",", unknown)), String.join(", ", known)));
    }
  }

  private RunDirectory write(ComparisonReport report) {
    if (output.isPresent() && Files.exists(output.get())) {
      throw new QuorateException(
          VisibleText.of(output.get().toString())
              + ": already exists. Pass a new directory. Nothing was written");
    }
    RunDirectory directory =
        output
            .map(RunDirectory::new)
            .orElseGet(
                () ->
                    RunDirectory.create(
                        RunDirectory.allResults(System.getProperties()),
                        "compare",
                        1,
                        Instant.now()));
    report.write(directory, command());
    return directory;
  }

  private String command() {
    List<String> words = new ArrayList<>(List.of("./quorate", "compare", baseline));
    words.addAll(candidates);
    aa.ifPresent(same -> words.addAll(List.of("--aa", same)));
    rules.forEach(rule -> words.addAll(List.of("--fail-on", rule)));
    if (threshold != 1 || margin != 5) {
      words.addAll(
          List.of(
              "--threshold",
              NumberFormats.shortest(threshold),
              "--margin",
              NumberFormats.shortest(margin)));
    }
    if (anyway) {
      words.add("--anyway");
    }
    if (!ignored.isEmpty()) {
      words.add("--ignore=" + String.join(",", ignored));
    }
    return VisibleText.of(ShellText.of(words));
  }

  private void print(ComparisonReport report, RunDirectory directory) {
    if (json) {
      out().print(report.all().get(0).json());
    } else if (markdown) {
      report.all().forEach(each -> out().print(report.text(each).markdown()));
    } else {
      print(report.lines());
      out().print("page    " + ConsoleSummary.shown(directory.page()) + "\n");
    }
    out().flush();
  }

  private void print(List<String> lines) {
    lines.stream()
        .flatMap(line -> ConsoleText.wrapped(line).stream())
        .forEach(line -> out().print(line + "\n"));
    out().flush();
  }
}
