// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

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
@Command(name = "merge", resourceBundle = "io.quorate.report.commands")
public final class MergeCommand extends QuorateCommand implements Callable<Integer> {
  @Parameters(arity = "0..*", paramLabel = "RUN_DIR", descriptionKey = "run-dir")
  private List<Path> directories = List.of();

  @Option(names = "--into", paramLabel = "RUN_DIR", required = true)
  private Path into;

  @Option(names = "--partial")
  private boolean partial;

  @Option(names = "--barrier", paramLabel = "DIR")
  private Optional<Path> barrier = Optional.empty();

  @Option(names = ReportCommand.TABLE)
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
    List<Path> runs = barrier.isPresent() ? ended(barrier.get()) : directories;
    RunDirectory merged = ShardMerge.of(runs, partial).into(into, err()::println);
    List<String> report = new ArrayList<>(List.of("report", merged.toString()));
    if (table) {
      report.add(ReportCommand.TABLE);
    }
    return Quorate.run(report.toArray(String[]::new));
  }

  private List<Path> ended(Path shared) throws InterruptedException {
    return new ShardCompletion(shared, err()::println).await(partial);
  }
}
