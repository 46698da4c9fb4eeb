// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.results.DatabaseRun;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.RunStatus;
import io.quorate.store.cetcd.CetcdDouble;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs on a double of cetcd at a given endpoint, also on one whose values are wrong. */
class CetcdRunIT {
  private static final String WRITES =
      """
      title: Writes
      operation: write
      requests: 200
      warm-up: 50
      cold-start: true
      keys: {size: 64}
      values: {size: 256}
      load: {clients: 5}
      databases: [cetcd]
      timeout: 60s
      """;

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  /** The real program cannot be had from where the tests run. */
  @Test
  void a_double_of_cetcd_at_a_given_endpoint_is_written_to_without_error() throws Exception {
    try (CetcdDouble cetcd = new CetcdDouble(0)) {
      Files.writeString(directory.resolve("few.yaml"), WRITES);
      InProcessRun run = run("few.yaml", cetcd);

      assertThat(run.exitCode()).as(run.output()).isZero();
      DatabaseRun result = DatabaseRun.read(run.onlyRun("few").resolve("cetcd"));
      assertThat(result.clients().orElseThrow().errorCount()).as(run.output()).isZero();
      assertThat(result.clients().orElseThrow().successCount()).isEqualTo(200);
    }
  }

  @Test
  void reads_that_bring_other_values_are_errors_of_kind_corrupt_in_every_file() throws Exception {
    try (CetcdDouble cetcd = new CetcdDouble(0, 10)) {
      Files.writeString(
          directory.resolve("reads.yaml"),
          WRITES
              .replace("operation: write", "operation: read")
              .replace("warm-up: 50", "warm-up: 0")
              .replace("{size: 64}", "{size: 64, count: 100}"));
      InProcessRun run = run("reads.yaml", cetcd);

      assertThat(run.exitCode()).as(run.output()).isZero();
      DatabaseRun result = DatabaseRun.read(run.onlyRun("reads").resolve("cetcd"));
      assertThat(result.clients().orElseThrow().errorCount()).as(run.output()).isEqualTo(20);
      assertThat(result.clients().orElseThrow().successCount()).isEqualTo(180);
      String message = "the value that was read differs from the one that was written";
      assertThat(run.onlyRun("reads").resolve("cetcd/errors.csv"))
          .content()
          .contains(",corrupt," + message + ",");
      assertThat(run.onlyRun("reads").resolve("all-aggregated.txt")).content().contains(message);
      assertThat(run.onlyRun("reads").resolve("index.html"))
          .content()
          .contains("<td class=\"text\">corrupt</td><td class=\"text message\">" + message);
      assertThat(run.onlyRun("reads").resolve("result.json"))
          .content()
          .contains("\"kind\" : \"corrupt\"");
    }
  }

  @Test
  void keys_that_are_read_back_with_other_values_fail_the_run_in_every_file() throws Exception {
    try (CetcdDouble cetcd = new CetcdDouble(0, 10)) {
      Files.writeString(
          directory.resolve("writes.yaml"), WRITES.replace("warm-up: 50", "warm-up: 0"));
      InProcessRun run = run("writes.yaml", cetcd);

      assertThat(run.exitCode()).as(run.output()).isEqualTo(1);
      String reason = "of 200 acknowledged keys verified, 0 are missing and 20 wrong; ...";
      assertThat(run.output())
          .contains("cetcd  200 acknowledged keys verified, 0 missing and 20 wrong, ")
          .contains("cetcd: failed: " + reason)
          .doesNotContain("\tat ");
      Path results = run.onlyRun("writes");
      Manifest manifest = Manifest.read(results.resolve("cetcd/manifest.json"));
      assertThat(manifest.status()).isEqualTo(RunStatus.FAILED);
      assertThat(manifest.reason().orElseThrow())
          .startsWith(reason)
          .contains(": the value that was read differs from the one that was written; ...");
      assertThat(manifest.verification().orElseThrow().firstFaults()).hasSize(10);
      assertThat(results.resolve("index.html"))
          .content()
          .contains("<p class=\"lost\" role=\"alert\"><b>cetcd does not have what it acknowledged");
      assertThat(results.resolve("result.json")).content().contains("\"wrongKeys\" : 20,");
    }
  }

  private InProcessRun run(String scenario, CetcdDouble cetcd) {
    return InProcessRun.run(
        directory,
        "run",
        scenario,
        "--endpoints",
        cetcd.endpoint().toString(),
        "--results",
        "results");
  }
}
