// SPDX-License-Identifier: Apache-2.0
package io.quorate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.cluster.Await;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.cluster.Script;
import io.quorate.cluster.TestServers;
import io.quorate.install.Installation;
import io.quorate.results.manifest.BuildInfo;
import io.quorate.store.etcd.EtcdServers;
import io.quorate.store.server.JavaRuntime;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QuorateIT {
  @TempDir Path home;
  private final Map<String, String> environment = new HashMap<>();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void help_names_every_command_and_gives_examples() {
    assertThat(run("--help")).isZero();
    assertThat(out.toString())
        .startsWith("Usage: quorate ")
        .contains("\n  install ", "\n  databases ", "\n  cluster ", "\nExamples:\n");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void the_help_of_a_command_gives_its_own_examples_or_none() {
    for (String command : List.of("databases", "install", "cluster", "agent")) {
      out.getBuffer().setLength(0);
      assertThat(run(command, "--help")).isZero();
      assertThat(out.toString())
          .startsWith("Usage: quorate " + command)
          .doesNotContain("start a cluster that stays")
          .satisfies(help -> assertThat(help.split("Examples:", -1)).hasSizeLessThan(3));
    }
  }

  @Test
  void the_value_of_an_option_may_be_called_as_a_command_is() {
    assertThat(run("agent", "--keys", "keys")).isEqualTo(1);
    assertThat(err.toString()).startsWith("keys/").contains("does not exist");
  }

  @Test
  void without_a_command_it_is_the_help() {
    assertThat(run()).isZero();
    assertThat(out.toString()).startsWith("Usage: quorate ");
  }

  @Test
  void the_version_has_the_commit_and_its_date() {
    Optional<String> version = Optional.of("1.2.3");
    Optional<Instant> date = Optional.of(Instant.parse("2026-12-01T23:59:59Z"));
    BuildInfo clean = new BuildInfo(version, Optional.of("abc"), false);
    BuildInfo dirty = new BuildInfo(version, Optional.of("abc"), true);
    assertThat(Quorate.BuildVersion.line(clean, date))
        .isEqualTo("quorate 1.2.3 (commit abc of 2026-12-01 23:59 UTC)");
    assertThat(Quorate.BuildVersion.line(dirty, date))
        .isEqualTo("quorate 1.2.3 (commit abc of 2026-12-01 23:59 UTC, with changes)");
    assertThat(run("--version")).isZero();
    assertThat(out.toString()).startsWith("quorate ").hasLineCount(1);
  }

  @Test
  void a_build_without_Git_says_that_its_commit_is_unknown() {
    BuildInfo build = new BuildInfo(Optional.of("1.2.3"), Optional.empty(), false);
    assertThat(Quorate.BuildVersion.line(build, Optional.empty()))
        .isEqualTo("quorate 1.2.3 (built without Git: commit and date are unknown)");
  }

  @Test
  void a_mistyped_command_is_wrong_usage_and_gets_a_suggestion() {
    assertThat(run("clutser")).isEqualTo(2);
    assertThat(err.toString())
        .isEqualTo("Unknown command: 'clutser'; did you mean 'cluster'?\nTry 'quorate --help'.\n");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void wrong_values_are_wrong_usage_and_the_message_says_what_is_expected() {
    assertThat(run("cluster", "up", "etcd", "--members", "2")).isEqualTo(2);
    assertThat(run("cluster", "up", "mysql")).isEqualTo(2);
    assertThat(run("cluster")).isEqualTo(2);
    assertThat(run("install", "zookeper")).isEqualTo(2);
    assertThat(err.toString())
        .contains("--members 2: expected 1, 3 or 5")
        .contains("'mysql' is not a database with servers; expected one of: etcd, zookeeper")
        .contains("Missing required subcommand\nUsage: quorate cluster ")
        .contains("'zookeper' cannot be installed; expected one of: etcd");
  }

  @Test
  void servers_that_are_never_started_are_neither_installed_nor_brought_up() {
    assertThat(run("cluster", "up", "clickhouse-keeper")).isEqualTo(2);
    assertThat(run("install", "clickhouse-keeper")).isEqualTo(2);
    assertThat(err.toString())
        .contains(
            "Quorate does not start ClickHouse Keeper. Start it, for example with 'clickhouse-")
        .contains("'clickhouse-keeper' cannot be installed: Quorate does not start ClickHouse ");
  }

  @Test
  void a_problem_is_its_message_alone() {
    assertThat(run("cluster", "up", "etcd")).isEqualTo(1);
    assertThat(err).hasToString(EtcdServers.ETCD.missing() + "\n");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void a_stack_trace_is_shown_when_it_is_asked_for() {
    assertThat(run("cluster", "up", "etcd", "--stacktrace")).isEqualTo(1);
    assertThat(err.toString()).startsWith(EtcdServers.ETCD.missing()).contains("\tat io.quorate.");
    assertThat(System.clearProperty(Quorate.STACKTRACE)).isEqualTo("true");
    err.getBuffer().setLength(0);
    environment.put("QUORATE_DEBUG", "1");
    assertThat(run("cluster", "up", "etcd")).isEqualTo(1);
    assertThat(err.toString()).contains("\tat io.quorate.");
  }

  @Test
  void databases_say_what_is_there_and_how_to_get_what_is_not() {
    assertThat(run("databases")).isZero();
    assertThat(out.toString().lines().toList())
        .startsWith("DATABASE          INSTALLED  LICENSE     FROM")
        .containsSequence(
            "etcd              no         Apache-2.0",
            "                  etcd is not installed: run ./quorate install etcd (or put etcd",
            "                  on PATH, or set QUORATE_ETCD)")
        .containsSequence(
            "consul            no         BUSL-1.1",
            "                  consul is not installed: run ./quorate install consul (or put",
            "                  consul on PATH, or set QUORATE_CONSUL)",
            "                  Business Source License 1.1 from Consul 1.16.4 on, which is",
            "                  not open source; 1.16.3 is the last release under MPL-2.0",
            "zetcd             no         Apache-2.0",
            "                  etcd and zetcd are not installed: run ./quorate install etcd",
            "                  zetcd (or put them on PATH, or set QUORATE_ETCD and",
            "                  QUORATE_ZETCD)",
            "cetcd             no         Apache-2.0")
        .containsSequence(
            "clickhouse-keeper no         Apache-2.0  your servers only",
            "                  Quorate does not start ClickHouse Keeper. Start it, for",
            "                  example with 'clickhouse-keeper --config",
            "                  /etc/clickhouse-keeper/keeper_config.xml', and pass its",
            "                  address with --endpoints HOST:PORT")
        .contains(
            "zookeeper         3.9.5      Apache-2.0  its jars come with Quorate",
            "memory            yes        Apache-2.0  a map in Quorate itself")
        .allMatch(line -> line.length() <= 80);
  }

  @Test
  void databases_say_where_a_program_is_and_do_not_let_it_command_the_terminal() {
    Path etcd =
        Script.write(home.resolve("etcd"), "printf 'etcd Version: 3.5.1\\033[2J\\n'; exit 1\n");
    environment.put("QUORATE_ETCD", etcd.toString());
    assertThat(run("databases")).isZero();
    assertThat(out.toString())
        .contains(
            "\netcd              3.5.1\\x1b[2J Apache-2.0  QUORATE_ETCD\n"
                + " ".repeat(18)
                + etcd
                + "\n");
    out.getBuffer().setLength(0);
    environment.put("QUORATE_ETCD", "/no\u001b[2Jwhere");
    assertThat(run("databases")).isZero();
    assertThat(out.toString()).contains("QUORATE_ETCD=/no\\x1b[2Jwhere: there is no executable");
  }

  @Test
  void databases_say_what_an_installed_program_was_made_from() throws Exception {
    Path etcd = home.resolve(".cache/quorate/etcd/3.7.3/etcd");
    Script.write(etcd, "echo etcd Version: 3.7.3\n");
    Files.writeString(etcd.resolveSibling("origin.txt"), "archive \u001b[2J\n");
    assertThat(run("databases")).isZero();
    assertThat(out.toString())
        .contains(
            "\netcd              3.7.3      Apache-2.0  ./quorate install\n"
                + " ".repeat(18)
                + etcd
                + "\n")
        .contains("\n" + " ".repeat(18) + "archive \\x1b[2J\n");
  }

  @Test
  void one_program_that_cannot_be_installed_does_not_keep_the_others_from_being_tried() {
    environment.put("QUORATE_MIRROR", "http://127.0.0.1:1");
    assertThat(run("install", "--all")).isEqualTo(1);
    assertThat(err.toString())
        .contains("cannot install etcd 3.7.3:\n  release archive: ")
        .contains("cannot install consul 1.22.7:\n  release archive: ")
        .contains("cannot install zetcd 0.0.5:\n  building from source: it needs Go ");
  }

  @Test
  void install_wants_names_or_all_and_one_name_with_from() {
    assertThat(run("install")).isEqualTo(2);
    assertThat(run("install", "--all", "etcd")).isEqualTo(2);
    assertThat(run("install", "--all", "--from", "x")).isEqualTo(2);
    assertThat(err.toString())
        .contains("Name what to install, or --all: one of the two.")
        .contains("--from is for one program.");
    assertThat(run("install", "cetcd")).isEqualTo(1);
    assertThat(run("install", "etcd", "--mirror", "ftp://x")).isEqualTo(1);
    assertThat(err.toString())
        .contains("cetcd: Quorate cannot install it; build it from https://github.com/etcd-io/")
        .contains("--mirror ftp://x: expected an address like https://HOST/PATH");
  }

  @Test
  void nothing_is_up_at_first() {
    assertThat(run("cluster", "status")).isEqualTo(1);
    assertThat(run("cluster", "down", "etcd")).isZero();
    assertThat(out.toString().lines())
        .containsExactly(
            "no cluster is up (./quorate cluster up etcd)", "no cluster of etcd is up");
  }

  @Test
  @RequiresDatabase("etcd")
  void a_cluster_is_up_until_it_is_taken_down() throws Exception {
    environment.putAll(TestServers.variables(List.of(EtcdServers.ETCD)));
    goesUpAndDown("etcd");
  }

  @Test
  void zookeeper_is_up_until_it_is_taken_down() throws Exception {
    goesUpAndDown("zookeeper");
  }

  @Test
  @RequiresDatabase("etcd")
  void a_member_that_does_not_answer_is_silent_and_its_cluster_not_healthy() throws Exception {
    environment.putAll(TestServers.variables(List.of(EtcdServers.ETCD)));
    String ofTheStopped = "";
    try {
      assertThat(
              run(
                  "cluster",
                  "up",
                  "etcd",
                  "--setting",
                  "backend-batch-interval=20ms",
                  "--setting=backend-batch-limit=500"))
          .as(err.toString())
          .isZero();
      assertThat(out.toString())
          .contains(
              "\nSettings of its servers: backend-batch-interval 20ms, backend-batch-limit 500\n");
      ofTheStopped =
          Pattern.compile(" follower +pid (\\d+)")
              .matcher(out.toString())
              .results()
              .findFirst()
              .orElseThrow()
              .group(1);
      assertThat(Path.of("/proc", ofTheStopped, "cmdline"))
          .content()
          .contains("--backend-batch-interval=20ms\0", "--backend-batch-limit=500\0");
      signal("STOP", ofTheStopped);
      // on a busy machine the other members may miss the time limit of the question
      Await.until(
          "the others answer",
          Duration.ofMinutes(3),
          () -> {
            out.getBuffer().setLength(0);
            return run("cluster", "status", "etcd") == 1
                && out.toString().contains(" follower ")
                && out.toString().contains(" leader ");
          });
      assertThat(out.toString())
          .contains(", 3 of 3 members alive; ")
          .containsPattern(" silent +pid " + ofTheStopped + " ")
          .containsOnlyOnce(" silent ")
          .containsOnlyOnce(" follower ")
          .containsOnlyOnce(" leader ");
    } finally {
      if (!ofTheStopped.isEmpty()) {
        signal("CONT", ofTheStopped);
      }
      run("cluster", "down", "etcd");
    }
  }

  private static void signal(String name, String pid) throws Exception {
    assertThat(new ProcessBuilder("kill", "-" + name, pid).start().waitFor()).isZero();
  }

  private void goesUpAndDown(String database) throws Exception {
    Path directory = home.resolve("cluster");
    List<Long> pids = List.of();
    try {
      assertThat(run("cluster", "up", database, "--members", "1", "--directory", "" + directory))
          .as(err.toString())
          .isZero();
      assertThat(out.toString())
          .containsPattern(database + " \\d+\\.\\d+\\.\\d+, 1 of 1 members alive; ")
          .containsPattern(database + "-1 +127\\.0\\.0\\.1:\\d+ +leader +pid \\d+")
          .containsPattern(" --database " + database + " --endpoints 127\\.0\\.0\\.1:\\d+\n")
          .contains("./quorate cluster down " + database + "\n");
      pids = pids(out.toString());
      assertThat(pids).hasSize(1).allMatch(QuorateIT::isAlive);

      assertThat(run("cluster", "up", database)).isEqualTo(1);
      assertThat(err.toString()).startsWith("a cluster of " + database + " is up already: 127.");
      assertThat(run("cluster", "status", database)).isZero();
    } finally {
      run("cluster", "down", database);
    }
    assertThat(out.toString())
        .endsWith("the cluster of " + database + " is stopped and its data removed\n");
    List<Long> stopped = pids;
    // until someone has asked for its exit code, the system still knows a process that has ended
    Await.until(
        "no member is left",
        Duration.ofMinutes(3),
        () -> stopped.stream().noneMatch(QuorateIT::isAlive));
    assertThat(directory.resolve("data")).doesNotExist();
    assertThat(directory.resolve("logs").resolve(database + "-1.log")).exists();
    assertThat(run("cluster", "status", database)).isEqualTo(1);
  }

  @Test
  void down_does_not_harm_a_process_that_got_the_pid_of_a_member() throws Exception {
    Process other = new ProcessBuilder("sleep", "600").start();
    try {
      Path states = Files.createDirectories(home.resolve(".cache/quorate/clusters"));
      Path state = states.resolve("etcd.json");
      Files.writeString(
          state,
          """
          {"database": "etcd", "directory": "%s", "members": [{"index": 1, "data": "/x",
           "servers": [{"name": "etcd-1", "endpoint": "127.0.0.1:1", "pid": %d,
                        "startedMillis": 86400000, "log": "/x"}]}]}
          """
              .formatted(home.resolve("cluster"), other.pid()));
      assertThat(run("cluster", "status")).isEqualTo(1);
      assertThat(out.toString()).contains("0 of 1 members alive").contains("dead");
      assertThat(run("cluster", "down", "etcd")).isZero();
      assertThat(state).doesNotExist();
      assertThat(other.isAlive()).isTrue();
    } finally {
      other.destroyForcibly();
    }
  }

  private static List<Long> pids(String text) {
    return Pattern.compile("pid (\\d+)")
        .matcher(text)
        .results()
        .map(match -> Long.valueOf(match.group(1)))
        .toList();
  }

  private static boolean isAlive(long pid) {
    return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
  }

  private int run(String... arguments) {
    return Quorate.run(
        new PrintWriter(out, true),
        new PrintWriter(err, true),
        new Installation(environment, home, JavaRuntime.of(System.getProperties())),
        arguments);
  }
}
