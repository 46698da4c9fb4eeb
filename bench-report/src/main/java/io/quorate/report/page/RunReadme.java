// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.page;

import io.quorate.report.plot.Plot;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.DatabaseRun;
import io.quorate.results.ExperimentRun;
import io.quorate.results.hosts.HostFiles;
import io.quorate.results.hosts.HostSamples;
import io.quorate.results.latency.LatencyInterval;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * What the page of a run says, for people who read it in a repository.
 *
 * @param table result table with its notes, as text
 * @param plots plots whose SVG files are in {@code plots}
 */
public record RunReadme(ExperimentRun run, Page page, String table, List<Plot> plots) {
  /** What must not be compared. */
  static final List<String> INCOMPARABLE =
      ReadmeText.incomparable("this run measured each database once");

  public String text() {
    ReadmeText text = new ReadmeText(page.title(), INCOMPARABLE, page.description());
    text.environment(run.databases().stream().map(DatabaseRun::manifest).toList());
    text.items(
        page.facts().stream()
            .filter(fact -> !RunInfo.isEnvironment(fact.name()))
            .map(fact -> fact.name() + ": " + fact.value())
            .toList());
    text.heading("Results");
    text.items(page.lost());
    text.code(table);
    if (!page.caveats().isEmpty()) {
      text.markdown("\nLimitations of this run:\n\n");
      text.items(page.caveats());
    }
    text.heading("Reproduce");
    text.markdown("In a checkout of Quorate, with the same versions of the databases:\n\n");
    text.code(String.join("\n", page.commands()) + "\n");
    text.markdown(
        """

        [scenario.yaml](scenario.yaml) is the scenario. `./quorate report` with this directory renders page, README.md, result.json and
        plots again. Each latency.hlog contains all latencies of a database, in intervals of %d s.
        """
            .formatted(intervalSeconds()));
    long serverSeconds = serverSeconds();
    if (serverSeconds > 1) {
      text.markdown(
          "Metrics of servers were read every second and are published every %d s.\n"
              .formatted(serverSeconds));
    }
    long machineSeconds = machineSeconds();
    if (machineSeconds > 1) {
      text.markdown(
          "Machines were sampled every second. The samples are published every %d s, and the highest CPU usage is the highest of these.\n"
              .formatted(machineSeconds));
    }
    text.plots("plots/", plots);
    return text.text();
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
}
