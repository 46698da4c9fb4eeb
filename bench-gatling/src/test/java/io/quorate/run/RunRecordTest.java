// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.results.DatabaseDirectory;
import io.quorate.results.RunDirectory;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.Manifests;
import io.quorate.results.manifest.ServerInfo.RunKeys;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunRecordTest {
  private static final RunKeys REMOVED =
      new RunKeys("quorate/it/", RunKeys.State.REMOVED, Optional.empty());

  @TempDir private Path results;

  @Test
  void facts_that_could_not_be_written_are_written_when_an_interrupted_run_ends() throws Exception {
    DatabaseDirectory directory =
        RunDirectory.create(results, "writes", 1, Instant.EPOCH).createDatabase("zookeeper");
    RunRecord record = new RunRecord(directory, Manifests.of("zookeeper", "zookeeper", 1, 1000));
    Files.delete(directory.manifest());
    Path inTheWay = Files.createDirectories(directory.manifest().resolve("in the way"));

    record.add(manifest -> manifest.withKeys(REMOVED));
    Files.delete(inTheWay);
    Files.delete(directory.manifest());
    record.interrupt();
    record.release();

    assertThat(Manifest.read(directory.manifest()).store().servers().keys()).contains(REMOVED);
    assertThat(directory.manifestReserve()).doesNotExist();
  }
}
