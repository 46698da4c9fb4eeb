// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.RunStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A matrix of runs on the in-memory map that is killed, continues, and has a run that failed. */
class MatrixRunIT {
  private static final String MATRIX =
      """
      title: Puts and gets
      requests: 200
      warm-up: 10
      cold-start: true
      keys: {size: 8, count: 200}
      values: {size: 8}
      load: {clients: 2}
      databases: [memory]
      matrix:
        repeats: 2
        axes:
          operation: [put, get]
      """;

  private static final Duration LIMIT = Duration.ofMinutes(5);

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  @Test
  void one_that_was_killed_goes_on_and_retries_what_failed_when_asked() throws Exception {
    Files.writeString(directory.resolve("mine.yaml"), MATRIX);
    Path run;
    try (QuorateProcess killed =
        QuorateProcess.start(
            directory, Map.of(), "run", "mine.yaml", "--results", "results", "--canary", "off")) {
      killed.awaitOutput("[2/4] repeat 1 of 2, memory, get; about ", LIMIT);
      List<ProcessHandle> all = killed.handle().descendants().toList();
      killed.handle().destroyForcibly();
      killed.waitFor(LIMIT);
      QuorateProcess.await(
          () -> all.stream().noneMatch(ProcessHandle::isAlive), LIMIT, () -> "still running");
      run = killed.onlyRun("mine");
    }
    Path first = run.resolve("cells/001-memory-put/1/memory/manifest.json");
    assertThat(first).content().contains("\"status\" : \"complete\"");
    FileTime written = Files.getLastModifiedTime(first);
    // usually 1; more if the kill came late
    long complete = complete(run);

    InProcessRun continued = run("--resume", run.toString());
    assertThat(continued.exitCode()).as(continued.output()).isZero();
    assertThat(continued.output())
        .containsPattern("^(?s:.)*?\\[" + (complete + 1) + "/4] repeat \\d of 2, memory, \\w+\n")
        .doesNotContain("[" + complete + "/4]")
        .contains("2 cells, each run 2 times; 4 of 4 runs are complete.");
    assertThat(Files.getLastModifiedTime(first)).isEqualTo(written);
    assertThat(entries(run.resolve("cells")))
        .containsExactly(
            "001-memory-put", "001-memory-put.yaml", "002-memory-get", "002-memory-get.yaml");
    assertThat(run.resolve("matrix.csv")).content().hasLineCount(5);
    assertThat(run.resolve("index.html")).exists();

    Files.writeString(
        first,
        Files.readString(first).replace("\"status\" : \"complete\"", "\"status\" : \"failed\""));
    InProcessRun failed = run("--resume", run.toString());
    assertThat(failed.exitCode()).as(failed.output()).isEqualTo(1);
    assertThat(failed.output())
        .contains(
            "1 of 4 runs failed; to run them again: ./quorate run --resume "
                + run
                + " --retry failed");
    assertThat(run.resolve("index.html")).content().contains("001-memory-put, repeat 1: failed");

    InProcessRun retried = run("--resume", run.toString(), "--retry", "failed");
    assertThat(retried.exitCode()).as(retried.output()).isZero();
    assertThat(entries(run.resolve("cells/001-memory-put"))).containsExactly("1", "1-2", "2");
  }

  private InProcessRun run(String... arguments) throws IOException, InterruptedException {
    return InProcessRun.run(
        directory, Stream.concat(Stream.of("run"), Stream.of(arguments)).toArray(String[]::new));
  }

  private static long complete(Path run) throws IOException {
    try (Stream<Path> all = Files.walk(run)) {
      return all.filter(each -> each.endsWith("memory/manifest.json"))
          .filter(each -> Manifest.read(each).status() == RunStatus.COMPLETE)
          .count();
    }
  }

  private static List<String> entries(Path parent) throws IOException {
    try (Stream<Path> entries = Files.list(parent)) {
      return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
    }
  }
}
