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
@Command(
    name = "compare",
    description = {
      "Compares runs with a baseline.",
      "Each argument is the directory of a run, or one with repeated runs; ':DATABASE' after it"
          + " selects a column. With four runs or more per side, each change has a 95%% interval;"
          + " fewer decide only changes of more than 10%%. Without a candidate, the odd runs of the"
          + " baseline are compared with its even runs, which shows the noise.",
      "Exits with 3 if a rule of the candidate's gate or of --fail-on failed, and with 4 if one"
          + " could not be decided."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ./quorate compare results/quick/20261101T100000Z results/quick/20261108T100000Z",
      "  ./quorate compare baseline candidate --fail-on \"p99 <= +10%%\" --fail-on \"errors <="
          + " +0\"",
      "  ./quorate compare results/upgrade/20261101T100000Z:etcd@3.5.35"
          + " results/upgrade/20261101T100000Z:etcd",
      "  ./quorate compare results/put/20261101T100000Z    its odd runs with its even runs"
    })
public final class CompareCommand extends QuorateCommand implements Callable<Integer> {
  @Parameters(
      index = "0",
      paramLabel = "BASELINE",
      description = "Directory with the run or the runs to compare with.")
  private String baseline;

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "CANDIDATE",
      description = "Directory with the run or the runs to judge; may be repeated.")
  private List<String> candidates = List.of();

  @Option(
      names = "--aa",
      paramLabel = "DIR",
      description =
          "Repeated runs of one version. The change between its odd and its even runs is noise,"
              + " and is shown next to each change (default: the baseline, if it has 8 runs or"
              + " more).")
  private Optional<String> aa = Optional.empty();

  @Option(
      names = "--fail-on",
      paramLabel = "RULE",
      split = ",",
      description =
          "Fail if a metric surely changes by more than this, such as \"p99 <="
              + " +10%%\", \"throughput >= -5%%\" or \"errors <= +0\"; may be repeated. Adds to the"
              + " gate of the candidate's scenario.")
  private List<String> rules = List.of();

  @Option(
      names = "--threshold",
      paramLabel = "PERCENT",
      defaultValue = "1",
      description =
          "Call a change faster or slower if its whole interval is beyond this (default: 1).")
  private double threshold;

  @Option(
      names = "--margin",
      paramLabel = "PERCENT",
      defaultValue = "5",
      description = "Call a change none if its whole interval is within this (default: 5).")
  private double margin;

  @Option(
      names = "--anyway",
      description =
          "Compare runs although the load, the machine or the load generator differs, and let a"
              + " gate fail although all runs of one side were before those of the other.")
  private boolean anyway;

  @Option(
      names = "--ignore",
      paramLabel = "CONDITION",
      split = ",",
      description =
          "Compare runs although these conditions differ, such as host,kernel. A refused comparison"
              + " names its conditions.")
  private List<String> ignored = List.of();

  @Option(
      names = "--gate-only",
      hidden = true,
      description = "Print only what the gate says, and write no file.")
  private boolean gateOnly;

  @Option(names = "--json", description = "Print comparison.json of the only candidate.")
  private boolean json;

  @Option(names = "--markdown", description = "Print Markdown for a pull request.")
  private boolean markdown;

  @Option(
      names = "--output",
      paramLabel = "DIR",
      description = "New directory for the page and the files (default: results/compare/<time>).")
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
    return new Limits(threshold / 100, margin / 100);
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
