// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.bisect.BisectCommand;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.install.Installation;
import io.quorate.store.etcd.EtcdServers;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.io.FileUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A bisection between two own programs that are the same one. */
@RequiresDatabase("etcd")
class BisectIT {
  private static final Installation INSTALLATION =
      Installation.of(System.getenv(), System.getProperties());

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  @AfterEach
  void removeThePrograms() throws IOException {
    for (String name : List.of("quorate-test-a", "quorate-test-b")) {
      FileUtils.deleteDirectory(INSTALLATION.cache().resolve("etcd").resolve(name).toFile());
    }
  }

  @Test
  void equal_programs_have_no_change() {
    Path etcd = INSTALLATION.find(EtcdServers.ETCD).orElseThrow().executable();
    List<String> output = new ArrayList<>();
    BisectCommand command =
        new BisectCommand(
            arguments -> {
              InProcessRun run = InProcessRun.run(directory, arguments);
              output.add(run.output());
              return run.exitCode();
            });
    StringWriter out = new StringWriter();
    int exitCode =
        new CommandLine(command)
            .setOut(new PrintWriter(out, true))
            .execute(
                "put",
                "--good=quorate-test-a=" + etcd,
                "--bad=quorate-test-b=" + etcd,
                "--fail-on=errors <= +0",
                "--output=" + directory.resolve("bisect"),
                "--",
                "--clients=2",
                "--requests=200",
                "--members=1",
                "--warm-up=10",
                "--cold-start");
    assertThat(exitCode).as(out + String.join("", output)).isZero();
    assertThat(out.toString())
        .contains("bisecting etcd@quorate-test-a, etcd@quorate-test-b")
        .contains("no change in this range: etcd@quorate-test-b to etcd@quorate-test-b keep");
    assertThat(directory.resolve("bisect/index.html"))
        .content()
        .contains(
            "<h1>no change in this range", "href=\"step-1/index.html\"", "gate passed: errors");
    assertThat(directory.resolve("bisect/step-1/index.html")).exists();
    assertThat(output.get(0)).contains("repeat 6 of 30").doesNotContain("repeat 7 of 30");
    Path manifest =
        FileUtils.listFiles(directory.resolve("bisect/runs").toFile(), new String[] {"json"}, true)
            .stream()
            .map(file -> file.toPath())
            .filter(file -> file.endsWith("manifest.json"))
            .findFirst()
            .orElseThrow();
    assertThat(manifest)
        .content()
        .containsPattern("\"programSha256\" : \"[0-9a-f]{64}\"")
        .contains("\"version\" : \"3.7.3\"");
  }
}
