// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Tests that a run can be printed without being started. */
class DryRunTest {
  @TempDir private Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int execute(String... arguments) throws Exception {
    Path scenario =
        Files.writeString(
            directory.resolve("two.yaml"),
            """
            title: Two users
            operation: put
            requests: 2000
            cold-start: true
            keys: {size: 16}
            values: {size: 32}
            load: {clients: 2}
            thresholds: [p99 < 50 ms]
            databases: [memory]
            """);
    RunCommands commands =
        new RunCommands(
            (settings, database, run, left) -> {
              throw new AssertionError("a load generator was started");
            });
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of(scenario.toString(), "--results", directory.resolve("results").toString()));
    String name = all.remove(0);
    CommandLine command =
        commands.commands().stream()
            .filter(CommandLine.class::isInstance)
            .map(CommandLine.class::cast)
            .filter(each -> each.getCommandName().equals(name))
            .findFirst()
            .orElseThrow();
    return command
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(all.toArray(String[]::new));
  }

  @Test
  void a_dry_run_prints_what_would_run_like_check_and_starts_nothing() throws Exception {
    assertThat(execute("run", "--dry-run")).isZero();

    String printed = out.toString();
    assertThat(printed)
        .contains(
            "two: Two users",
            "  operations       put\n",
            "  load             2 clients\n",
            "  requests         2,000 for each database, after warming up with 200 requests\n",
            "  thresholds       p99 < 50 ms\n",
            "  results          " + directory.resolve("results/two") + "/\n")
        .endsWith("nothing was started\n");
    assertThat(directory.resolve("results")).doesNotExist();

    out.getBuffer().setLength(0);
    assertThat(execute("check")).isZero();
    assertThat(out).hasToString(printed);
  }

  @Test
  void options_and_keys_with_older_names_mean_the_same_and_have_a_hint() throws Exception {
    assertThat(execute("check", "--against", directory.toString())).isEqualTo(1);
    assertThat(err.toString()).startsWith("'--against' is now called '--baseline'\n");

    err.getBuffer().setLength(0);
    assertThat(execute("check", "--against", "a", "--baseline", "b")).isEqualTo(2);
    assertThat(err.toString()).contains("--against: found --baseline, too, which is its name now");
  }

  @Test
  void a_dry_run_of_repeats_prints_their_number_and_starts_nothing() throws Exception {
    assertThat(execute("run", "--dry-run", "--repeats", "4")).isZero();

    assertThat(out.toString())
        .contains("1 cells, each 4 times: 4 runs, one after the other")
        .endsWith("nothing was started\n");
    assertThat(directory.resolve("results")).doesNotExist();
  }
}
