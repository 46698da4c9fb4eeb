// SPDX-License-Identifier: Apache-2.0
package io.quorate.jenkins;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The scripts of the Jenkinsfile, in a real shell. */
class JenkinsScriptsIT {
  private static final Path HOME = Path.of(System.getProperty("quorate.home"));
  private static final String HOSTILE =
      "x'; touch hostile; echo \"$(touch hostile)` touch hostile`";

  private static final String PRINTS_ARGUMENTS =
      "for each in \"$@\"; do printf '%s\\n' \"$each\"; done\n";

  @TempDir Path temporary;

  @Test
  void aParameterStaysOneArgumentWhateverIsInIt() throws IOException, InterruptedException {
    assertThat(arguments(HOSTILE, HOSTILE + 2, HOSTILE + 3))
        .containsExactly(
            "run",
            HOSTILE,
            "--gatling",
            "--scale",
            HOSTILE + 3,
            "--results",
            "target/jenkins-results",
            "--database",
            HOSTILE + 2);
    assertThat(temporary.resolve("hostile")).doesNotExist();
  }

  @Test
  void withoutDatabasesTheScenarioSaysWhichThereAre() throws IOException, InterruptedException {
    assertThat(arguments("quick", "", "1"))
        .containsExactly(
            "run", "quick", "--gatling", "--scale", "1", "--results", "target/jenkins-results");
  }

  /** Returns the arguments that the script of the stage Run gives to {@code ./quorate}. */
  private List<String> arguments(String scenario, String databases, String scale)
      throws IOException, InterruptedException {
    Pipeline build = new Pipeline().run(HOME.resolve("Jenkinsfile"));
    String script =
        build.scripts().stream().filter(each -> each.contains("quorate run")).findFirst().get();
    script(temporary.resolve("quorate"), PRINTS_ARGUMENTS);
    ProcessBuilder shell = new ProcessBuilder("/bin/sh", "-c", script);
    shell.environment().put("SCENARIO", scenario);
    shell.environment().put("SCALE", scale);
    shell.environment().put("RESULTS", build.environment("RESULTS"));
    // Jenkins has no variable for an empty parameter
    shell.environment().remove("DATABASES");
    if (!databases.isEmpty()) {
      shell.environment().put("DATABASES", databases);
    }
    Process process = shell.directory(temporary.toFile()).redirectErrorStream(true).start();
    List<String> lines = process.inputReader().lines().toList();
    assertThat(process.waitFor()).as(String.join("\n", lines)).isZero();
    return lines;
  }

  @Test
  void aShardGetsEachParameterAsOneArgument() throws IOException, InterruptedException {
    Pipeline build =
        new Pipeline()
            .parameter("ENDPOINTS", "10.0.0.1:2379")
            .run(HOME.resolve("src/jenkins/Jenkinsfile.cluster"));
    String script =
        build.scripts().stream().filter(each -> each.contains("quorate run")).findFirst().get();
    script(temporary.resolve("stubs/unzip"), "");
    script(temporary.resolve("quorate-1/bin/quorate"), PRINTS_ARGUMENTS);
    ProcessBuilder shell = new ProcessBuilder("/bin/sh", "-c", script);
    List.of("SCENARIO", "DATABASE", "ENDPOINTS", "SCALE", "SHARD", "START")
        .forEach(name -> shell.environment().put(name, HOSTILE + name));
    shell
        .environment()
        .merge("PATH", temporary.resolve("stubs") + ":", (path, stubs) -> stubs + path);
    Process process = shell.directory(temporary.toFile()).redirectErrorStream(true).start();
    assertThat(process.inputReader().lines())
        .containsExactly(
            "run",
            HOSTILE + "SCENARIO",
            "--database",
            HOSTILE + "DATABASE",
            "--endpoints",
            HOSTILE + "ENDPOINTS",
            "--scale",
            HOSTILE + "SCALE",
            "--shard",
            HOSTILE + "SHARD",
            "--start-at",
            HOSTILE + "START",
            "--results",
            "results");
    assertThat(process.waitFor()).isZero();
    assertThat(temporary.resolve("hostile")).doesNotExist();
  }

  private static void script(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/sh\n" + text);
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  @Test
  void serversThatAreLeftAreStoppedAndOnlyThose() throws IOException, InterruptedException {
    Path data = Files.createDirectories(temporary.resolve("results/quick/run/etcd/data/etcd-1"));
    Process server = sleeping(data);
    Process gone = sleeping(Files.createDirectory(data.resolveSibling("etcd-2")));
    Files.delete(data.resolveSibling("etcd-2"));
    Process other = sleeping(Files.createDirectories(temporary.resolve("results-of-others")));
    try {
      assertThat(stopServers(temporary.resolve("results"))).isZero();
      assertThat(server.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(gone.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(other.isAlive()).isTrue();
      assertThat(stopServers(temporary.resolve("no-such-directory"))).isZero();
    } finally {
      Stream.of(server, gone, other).forEach(Process::destroyForcibly);
    }
  }

  private static Process sleeping(Path directory) throws IOException {
    return new ProcessBuilder("sleep", "300").directory(directory.toFile()).start();
  }

  private static int stopServers(Path results) throws IOException, InterruptedException {
    ProcessBuilder script =
        new ProcessBuilder(
            HOME.resolve("src/jenkins/stop-servers.sh").toString(), results.toString());
    script.environment().put("STOP_SERVERS_GRACE_SECONDS", "0");
    return script.inheritIO().start().waitFor();
  }
}
