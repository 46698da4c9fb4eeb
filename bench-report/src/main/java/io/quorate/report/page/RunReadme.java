// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.page;

import io.quorate.MarkdownText;
import io.quorate.report.page.Page.Fact;
import io.quorate.report.plot.Plot;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.ExperimentRun;
import io.quorate.results.hosts.HostFiles;
import io.quorate.results.hosts.HostSamples;
import io.quorate.results.latency.LatencyInterval;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * What a page says, for people who read it in a repository: Markdown in the order of dbtester's
 * pages of results, which is machine, versions, settings, result table and plots.
 *
 * @param table result table with its notes, as text
 * @param plots plots whose SVG files are in {@code plots}
 */
public record RunReadme(ExperimentRun run, Page page, String table, List<Plot> plots) {
  /** Name of the file. */
  public static final String NAME = "README.md";

  private static final String GUIDE = "../../../../src/site/markdown/";

  /** What must not be compared. */
  static final List<String> INCOMPARABLE =
      List.of(
          "absolute values with those of another machine, another version or another scenario",
          "stores whose consistency or durability differs",
          "latencies of steps beyond saturation: more clients only wait longer",
          "values within 10% of each other: this run measured each database once",
          "percentiles of a handful of requests");

  private static final String HEAD =
      """
      **This is an example from one machine and not a reference.** It shows what Quorate measures and how a result looks. It names
      no winner and gives no score. Do not compare

      %1$s
      [Semantics](%2$sexplanation/semantics.md) says what each store promises. The [page](index.html) contains all values and plots
      ([how to read it](%2$show-to/read-a-report.md)).
      """
          .formatted(
              INCOMPARABLE.stream().map("- %s\n"::formatted).collect(Collectors.joining()), GUIDE);

  public String text() {
    StringBuilder text = new StringBuilder();
    text.append("# ").append(MarkdownText.of(page.title())).append("\n\n").append(HEAD);
    page.description()
        .forEach(each -> text.append("\n").append(MarkdownText.of(each)).append("\n"));
    RunInfo facts = new RunInfo(run);
    heading(text, "Machine, versions and settings");
    items(text, "", facts.environment());
    page.facts().stream()
        .filter(fact -> !RunInfo.isEnvironment(fact.name()))
        .map(RunReadme::named)
        .forEach(fact -> text.append("- ").append(fact).append("\n"));
    heading(text, "Results");
    code(text, table);
    if (!page.caveats().isEmpty()) {
      text.append("\nLimitations of this run:\n\n");
      items(text, "", page.caveats());
    }
    heading(text, "Reproduce");
    text.append("In a checkout of Quorate, with the same versions of the databases:\n\n");
    code(text, String.join("\n", page.commands()) + "\n");
    text.append(
        """

        [scenario.yaml](scenario.yaml) is the scenario. `./quorate report` with this directory renders page, README.md, result.json and
        plots again. Each latency.hlog contains all latencies of a database, in intervals of %d s.
        """
            .formatted(intervalSeconds()));
    if (serverSeconds() > 1) {
      text.append(
          "Metrics of servers were read every second and are published every %d s.\n"
              .formatted(serverSeconds()));
    }
    if (machineSeconds() > 1) {
      text.append(
          "Machines were sampled every second. The samples are published every %d s, and the highest CPU usage is the highest of these.\n"
              .formatted(machineSeconds()));
    }
    heading(text, "Plots");
    for (Plot plot : plots) {
      text.append(
          "<img src=\"plots/%s.svg\" alt=\"%s\">\n\n"
              .formatted(plot.name(), MarkdownText.of(plot.title()).replace("\"", "&quot;")));
    }
    return text.toString().stripTrailing() + "\n";
  }

  private int intervalSeconds() {
    return run.databases().stream()
        .mapToInt(each -> LatencyInterval.typicalSeconds(each.latencies().intervals()))
        .max()
        .orElse(1);
  }

  private long machineSeconds() {
    return longest(
        database -> {
          HostSamples samples = HostSamples.read(new HostFiles(database).client());
          return IntStream.range(0, samples.size())
              .mapToLong(row -> Math.round(samples.unixNanos(row) / 1e9));
        });
  }

  private long serverSeconds() {
    return longest(
        database ->
            new HostFiles(database)
                .internalRows().stream()
                    .filter(row -> row.member() == 1)
                    .mapToLong(HostFiles.InternalRow::unixSecond)
                    .distinct());
  }

  /** Returns the longest median time between two samples of a database in seconds, or 1. */
  private long longest(Function<DatabaseDirectory, LongStream> samples) {
    return run.databases().stream()
        .map(each -> samples.apply(each.directory()).toArray())
        .filter(seconds -> seconds.length > 2)
        .mapToLong(
            seconds ->
                IntStream.range(1, seconds.length)
                    .mapToLong(i -> seconds[i] - seconds[i - 1])
                    .sorted()
                    .skip(seconds.length / 2 - 1)
                    .findFirst()
                    .orElse(1))
        .max()
        .orElse(1);
  }

  private static void heading(StringBuilder text, String heading) {
    text.append("\n## ").append(heading).append("\n\n");
  }

  private static String named(Fact fact) {
    return MarkdownText.of(fact.name() + ": " + fact.value());
  }

  private static void items(StringBuilder text, String indent, List<String> items) {
    items.forEach(
        item -> text.append(indent).append("- ").append(MarkdownText.of(item)).append("\n"));
  }

  /** Adds text as it is; a text cannot end the block. */
  private static void code(StringBuilder text, String code) {
    text.append("```\n").append(code.replace("```", "'''")).append("```\n");
  }
}
