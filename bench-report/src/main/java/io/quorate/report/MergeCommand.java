// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import io.quorate.QuorateException;
import io.quorate.cli.Quorate;
import io.quorate.cli.QuorateCommand;
import io.quorate.results.RunDirectory;
import io.quorate.shard.ShardCompletion;
import io.quorate.shard.ShardMerge;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The {@code quorate merge} command: merges the runs of all shards into one run, and writes its
 * report.
 */
@Command(
    name = "merge",
    description = {
      "Merges the runs of all shards and writes the report.",
      "Latencies, seconds and errors are added; thresholds apply to the merged run.",
      "If a shard is missing, failed or duplicated, it is named, and nothing is written."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ./quorate merge results/quick/*-shard-* --into results/quick/merged",
      "  ./quorate merge shard-1 shard-2 shard-4 --into merged --partial",
      "  ./quorate merge --barrier /shared/run-17 --into /shared/merged"
    })
final class MergeCommand extends QuorateCommand implements Callable<Integer> {
  @Parameters(
      arity = "0..*",
      paramLabel = "RUN_DIR",
      description = "Runs of the shards: results/<scenario>/<run>.")
  private List<Path> directories = List.of();

  @Option(
      names = "--into",
      paramLabel = "RUN_DIR",
      required = true,
      description = "Directory of the merged run; must not exist.")
  private Path into;

  @Option(
      names = "--partial",
      description = "Merge the complete shards even if others are missing or failed.")
  private boolean partial;

  @Option(
      names = "--barrier",
      paramLabel = "DIR",
      description =
          "Instead of RUN_DIR: wait until all shards of this barrier have ended, and merge "
              + "their runs.")
  private Optional<Path> barrier = Optional.empty();

  @Option(names = ReportCommand.TABLE, description = "Print the result table and its notes.")
  private boolean table;

  @Override
  public Integer call() throws InterruptedException {
    if (directories.isEmpty() == barrier.isEmpty()) {
      throw wrongUsage(
          barrier.isEmpty()
              ? "Missing: the directories of the shards' runs, or --barrier DIR"
              : "pass either RUN_DIR or --barrier, not both");
    }
    ShardMerge.requireNothing(into);
    try {
      List<Path> runs = barrier.isPresent() ? ended(barrier.get()) : directories;
      RunDirectory merged = ShardMerge.of(runs, partial).into(into, err()::println);
      List<String> report = new ArrayList<>(List.of("report", merged.toString()));
      if (table) {
        report.add(ReportCommand.TABLE);
      }
      return Quorate.run(report.toArray(String[]::new));
    } catch (OutOfMemoryError | StackOverflowError full) {
      throw new QuorateException(
          "The files need more memory than %s".formatted(ReportCommand.memory()), full);
    }
  }

  private List<Path> ended(Path shared) throws InterruptedException {
    return new ShardCompletion(shared, err()::println).await(partial);
  }
}
