// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.options;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.cli.CommandProvider;
import io.quorate.cli.Quorate;
import io.quorate.install.Installation;
import io.quorate.run.EarlyEnd;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Tests that a run can be printed without being started. */
class DryRunTest {
  @TempDir private Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private String text =
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
      """;

  private int execute(String... arguments) throws Exception {
    Path scenario = Files.writeString(directory.resolve("two.yaml"), text);
    RunCommands commands =
        new RunCommands(
            (settings, database, run, left, early) -> {
              throw new AssertionError("a load generator was started");
            },
            new EarlyEnd());
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
  void each_phase_has_its_extent() throws Exception {
    text =
        """
        title: A ramp after writes
        phases:
          - {operation: put, load: {clients: 20}, requests: 5_000}
          - {operation: get, load: {rate: 200/s, ramp: {to: 1_000/s}}, duration: 10s}
        keys: {size: 16, count: 100}
        values: {size: 32}
        databases: [memory]
        """;
    assertThat(execute("check")).isZero();

    assertThat(out.toString().replaceAll("\\s+", " "))
        .contains(" 20 clients, put, 5,000 requests, then 200/s to 1,000/s, get, for 10 seconds ");
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

  @Test
  void faults_sessions_and_watches_are_printed_and_commands_by_their_names() throws Exception {
    Path commands = directory.resolve("commands.txt");
    Files.writeString(commands, "kill-leader: curl -H 'token: secret' host\n");
    Path scenario = directory.resolve("faults.yaml");
    Files.writeString(
        scenario,
        """
        title: Faults
        mix: {put: 1, get: 1}
        keys: {size: 32, count: 50, distribution: uniform}
        values: {size: 16}
        load: {rate: 100/s, connections: 6}
        databases: [etcd]
        faults: {inject: [kill-leader, defragment], times: 3, quiet: 540s, sessions: 9, watches: 4}
        """);

    assertThat(
            Quorate.run(
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                Installation.of(System.getenv(), System.getProperties()),
                ServiceLoader.load(CommandProvider.class),
                "check",
                scenario.toString(),
                "--endpoints",
                "127.0.0.1:1",
                "--maintain",
                "--fault-commands",
                commands.toString()))
        .as(err.toString())
        .isZero();

    assertThat(out.toString())
        .contains(
            "  faults           kill-leader, 3 times, runs the command 'kill-leader'\n",
            "  maintenance      defragment, 3 times\n",
            "  next to the load 9 sessions and 4 watches of clients that have to survive\n",
            "  time             about ")
        .doesNotContain("secret");
  }

  @Test
  void the_space_on_disk_is_printed() throws Exception {
    assertThat(execute("check", "--requests", "1_000_000", "--database", "zookeeper")).isZero();

    assertThat(out.toString())
        .contains("two: Two users (--requests 1_000_000)")
        .containsPattern(
            "  disk space       about 2[0-9]{2} MB for the data of 3 members; .* are free");
  }

  @Test
  void the_time_of_a_slow_ramp_and_the_data_of_each_phase_are_printed() throws Exception {
    text =
        """
        title: A slow ramp of reads after many puts
        phases:
          - {operation: put, load: {rate: 10_000/s}, duration: 60s}
          - {operation: get, load: {rate: 1/s, ramp: {to: 2/s}}, duration: 60s}
        keys: {size: 16, count: 1}
        values: {size: 984}
        databases: [zookeeper]
        """;
    assertThat(execute("check")).isZero();
    assertThat(out.toString())
        .contains("  time             about 2 min of load", "disk space       about 3.6 GB");
  }

  @Test
  void an_own_program_needs_its_file_and_is_not_installed() throws Exception {
    Path mine = Files.writeString(directory.resolve("etcd"), "");
    assertThat(execute("check", "--database", "etcd@not-installed=" + mine)).isZero();
    assertThat(out.toString()).contains("  etcd@not-installed 3 members, started on this machine");

    assertThat(execute("check", "--database", "etcd@not-installed")).isEqualTo(1);
    assertThat(out.toString()).contains("cannot run: etcd@not-installed is not installed");

    assertThat(execute("check", "--database", "etcd@not-installed=" + mine + "x")).isEqualTo(1);
    assertThat(err.toString()).contains(mine + "x: there is no file of that name");
  }

  @Test
  void of_a_matrix_only_the_chosen_cells_have_to_be_installed() throws Exception {
    text =
        text.replace("[memory]", "[memory, etcd@not-installed]")
            + "matrix: {axes: {variant: {a: {}, b: {requests: 100}}}}\n";
    assertThat(execute("check", "--database", "memory")).isZero();
    assertThat(out.toString()).contains("2 cells").doesNotContain("not-installed");
    assertThat(execute("check")).isEqualTo(1);
  }

  @Test
  void what_a_run_refuses_is_refused() throws Exception {
    try (ServerSocket used = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      String address = "127.0.0.1:" + used.getLocalPort();

      assertThat(execute("check", "--metrics", address)).isEqualTo(1);
      assertThat(err.toString()).contains("metrics: cannot listen on " + address);
    }
    assertThat(execute("check", "--rate", "x2")).isEqualTo(1);
    assertThat(err.toString()).contains("--rate: found a load of clients");
  }
}
