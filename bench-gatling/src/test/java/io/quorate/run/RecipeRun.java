// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.results.DatabaseRun;
import io.quorate.results.LockRecord;
import io.quorate.results.manifest.RunStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;

/** Runs of locks, elections and sessions on real servers of one member each. */
abstract class RecipeRun {
  static final List<String> ALL = List.of("etcd", "zookeeper", "consul");

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  final String run(String scenario, List<String> databases) throws IOException {
    return run(scenario, databases, databases.toString());
  }

  final String run(String scenario, List<String> databases, String columns) throws IOException {
    Files.writeString(
        directory.resolve("sessions.yaml"),
        "title: Sessions\nmembers: 1\ntimeout: 60s\ndatabases: %s\n%s"
            .formatted(columns, scenario));
    InProcessRun run =
        InProcessRun.run(
            directory,
            "run",
            "sessions.yaml",
            "--database",
            String.join(",", databases),
            "--results",
            "results");
    assertThat(run.exitCode()).as(run.output()).isZero();
    return run.output();
  }

  final List<LockRecord> locks(String database) throws IOException {
    return LockRecord.FILE.read(read(database).directory()).stream()
        .sorted(Comparator.comparingLong(LockRecord::heldNanos))
        .toList();
  }

  final DatabaseRun read(String database) throws IOException {
    DatabaseRun run = DatabaseRun.read(onlyRun().resolve(database));
    assertThat(run.manifest().status()).isEqualTo(RunStatus.COMPLETE);
    return run;
  }

  final Path onlyRun() throws IOException {
    return onlyEntry(onlyEntry(directory.resolve("results")));
  }

  private static Path onlyEntry(Path parent) throws IOException {
    try (Stream<Path> entries = Files.list(parent)) {
      return entries.filter(Files::isDirectory).findFirst().orElseThrow();
    }
  }
}
