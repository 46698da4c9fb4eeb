// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import io.quorate.QuorateException;
import io.quorate.cli.QuorateCommand;
import io.quorate.format.StrictJson.FormatVersion;
import io.quorate.results.RunDirectory;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists the runs in a directory of results. */
@Command(name = "list", resourceBundle = "io.quorate.report.commands")
public final class ListCommand extends QuorateCommand implements Callable<Integer> {
  @Parameters(arity = "0..1", paramLabel = "WORD", descriptionKey = "word")
  private Optional<String> word;

  @Option(names = "--results", paramLabel = "DIR")
  private Optional<Path> results;

  @Option(names = "--json")
  private boolean json;

  /** The document of {@code --json}. */
  @FormatVersion(1)
  private record Document(List<Run> runs) {}

  private record Run(
      String name,
      String path,
      Instant start,
      String title,
      List<RunList.DatabaseEntry> databases) {
    static Run of(RunList.Entry each) {
      return new Run(
          each.name(), each.path().toString(), each.start(), each.title(), each.databases());
    }
  }

  @Option(names = "--index")
  private boolean index;

  @Override
  public Integer call() {
    RunList all = RunList.read(results.orElse(RunDirectory.allResults(System.getProperties())));
    if (index) {
      all.writeIndex();
      return 0;
    }
    RunList list = word.map(all::with).orElse(all);
    if (json) {
      print(new Document(list.entries().stream().map(Run::of).toList()));
      return 0;
    }
    if (list.entries().isEmpty()) {
      throw new QuorateException(
          "There are no runs%s in %s. './quorate run quick' makes one"
              .formatted(word.map(text -> " of '" + text + "'").orElse(""), all.results()));
    }
    list.lines().forEach(out()::println);
    all.writeIndex();
    out().println("all runs: " + all.results().resolve("index.html"));
    return 0;
  }
}
