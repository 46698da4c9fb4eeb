package io.quorate.report;

import io.quorate.QuorateException;
import io.quorate.cli.Quorate;
import io.quorate.results.RunDirectory;
import io.quorate.shard.ShardCompletion;
import io.quorate.shard.ShardMerge;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code quorate merge} command: makes one run of those of all shards, and its report. */
@Command(
    name = "merge",
    description = {
      "Makes one run of the runs of all shards, and its report.",
      "Latencies, seconds and errors are added; limits hold for all together.",
      "A shard that is missing, failed or is there twice is named, and nothing is written."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ./quorate merge results/quick/*-shard-* --into results/quick/merged",
      "  ./quorate merge shard-1 shard-2 shard-4 --into merged --partial",
      "  ./quorate merge --barrier /shared/run-17 --into /shared/merged"
    })
final class MergeCommand implements Callable<Integer> {
  @Parameters(
      arity = "0..*",
      paramLabel = "RUN_DIR",
      description = "the runs of the shards: results/<scenario>/<run>")
  private List<Path> directories = List.of();

  @Option(
      names = "--into",
      paramLabel = "RUN_DIR",
      required = true,
      description = "the directory of the merged run, which is not there yet")
  private Path into;

  @Option(
      names = "--partial",
      description = "merge what is complete, though shards are missing or failed")
  private boolean partial;

  @Option(
      names = "--barrier",
      paramLabel = "DIR",
      description =
          "in place of RUN_DIR: wait until all shards that meet in this directory have ended, and"
              + " merge their runs, which have to be where they wrote them")
  private Optional<Path> barrier = Optional.empty();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    if (directories.isEmpty() == barrier.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          barrier.isEmpty()
              ? "missing: RUN_DIR, or --barrier DIR"
              : "RUN_DIR: found some, and --barrier: leave out one of both");
    }
    ShardMerge.requireNothing(into);
    try {
      List<Path> runs = barrier.isPresent() ? ended(barrier.get()) : directories;
      RunDirectory merged = ShardMerge.of(runs, partial).into(into);
      return Quorate.run("report", merged.toString());
    } catch (OutOfMemoryError | StackOverflowError full) {
      throw new QuorateException(
          "The files need more memory than %s".formatted(ReportCommand.memory()), full);
    }
  }

  private List<Path> ended(Path shared) throws InterruptedException {
    PrintWriter err = spec.commandLine().getErr();
    return new ShardCompletion(
            shared,
            line -> {
              err.println(line);
              err.flush();
            })
        .await(partial);
  }
}
