package io.quorate.report;

import io.quorate.QuorateException;
import io.quorate.cli.Quorate;
import io.quorate.run.Capacity;
import io.quorate.run.RunDirectory;
import io.quorate.run.ShardMerge;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

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
      "  ./quorate merge shard-1 shard-2 shard-4 --into merged --partial"
    })
final class MergeCommand implements Callable<Integer> {
  @Parameters(
      arity = "1..*",
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

  @Override
  public Integer call() {
    try {
      RunDirectory merged = ShardMerge.of(directories, partial).into(into);
      return Quorate.run("report", merged.toString());
    } catch (OutOfMemoryError | StackOverflowError full) {
      throw new QuorateException(
          "The files need more memory than %s".formatted(Capacity.memory()), full);
    }
  }
}
