// SPDX-License-Identifier: Apache-2.0
package io.quorate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.install.Installation;
import io.quorate.store.server.JavaRuntime;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.Command;

class WrongUsageTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      quoteCharacter = '`',
      value = {
        "clutser => Unknown command: 'clutser'; did you mean 'cluster'? | Try",
        "cluster upp => Unknown command: 'upp'; did you mean 'up'? | Try",
        "cluster up => Missing required parameter: 'DATABASE'",
        "cluster up etdc => Invalid value for positional parameter at index 0 (DATABASE): "
            + "'etdc' is not a database with servers; expected one of: etcd, zookeeper, consul, "
            + "zetcd, cetcd, kine; did you mean 'etcd'?",
        "cluster up etcd --membres 3 => Unknown option: '--membres' | Possible solutions:"
            + " --members",
        "cluster up etcd --membres=s3cret => Unknown option: '--membres' | Possible solutions:"
            + " --members",
        "cluster up etcd --password s3cret => Unknown option: '--password'",
        "cluster up etcd --members x => Invalid value for option '--members': found 'x', expected a"
            + " whole number",
        "cluster up etcd --members 3.0 => Invalid value for option '--members': found '3.0',"
            + " expected a whole number",
        "cluster up etcd --members 99999999999 => Invalid value for option '--members': found"
            + " '99999999999', expected a whole number",
        "cluster up etcd --port \u0663 => Invalid value for option '--port': found '\u0663',"
            + " expected a whole number",
        "cluster up etcd --members => Missing required parameter for option '--members' (N)",
        "cluster up etcd --members --port 1 => Expected parameter for option '--members' but found"
            + " '--port'",
        "cluster up etcd --members 3 --members 5 => option '--members' (N) should be specified only"
            + " once",
        "cluster up etcd --setting snapshot-cout=1 => --setting 'snapshot-cout=1': expected"
            + " ID=VALUE, with one of snapshot-count, snapshot-catchup-entries, quota-backend-bytes,"
            + " max-request-bytes,"
            + " heartbeat-interval, election-timeout, auto-compaction-period,"
            + " auto-compaction-revisions, compaction-batch-limit, compaction-sleep-interval,"
            + " backend-batch-interval, backend-batch-limit, backend-bbolt-freelist-type,"
            + " max-concurrent-streams, unsafe-no-fsync of etcd; did you mean"
            + " 'snapshot-count'?",
        "cluster up etcd --setting snapshot-count=0 => --setting 'snapshot-count=0': expected a"
            + " whole number from 1 to 1_000_000_000",
        "cluster up etcd@3.5.35 --setting heartbeat-interval=1s => setting heartbeat-interval:"
            + " found election-timeout 1s with heartbeat-interval 1s, expected an election timeout"
            + " of at least five heartbeats, without which etcd does not start",
        "cluster up etcd zk => Unexpected argument: 'zk'",
        "databases x => Unexpected argument: 'x'",
        "agent kyes => Unknown command: 'kyes'; did you mean 'keys'? | Try",
        "install zookeper => 'zookeper' cannot be installed; expected one of: etcd, consul, zetcd,"
            + " kine, etcd-benchmark, powercut",
        "install @etcd => '@etcd' cannot be installed; expected one of: etcd, consul, zetcd,"
            + " kine, etcd-benchmark, powercut; did you mean 'etcd'?",
        "-x => Unknown option: '-x'",
      })
  void a_wrong_command_line_is_told_in_plain_english(String arguments, String message) {
    assertThat(run(arguments.split(" "))).isEqualTo(2);
    assertThat(err.toString())
        .startsWith(message.replace(" | ", "\n"))
        .containsPattern("\nTry 'quorate.* --help'\\.\n$")
        .doesNotContain("s3cret");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void every_option_that_is_missing_or_unknown_is_named() {
    assertThat(run("agent", "keys")).isEqualTo(2);
    assertThat(err.toString())
        .startsWith("Missing required options: '--directory=DIR', '--hosts=HOST'\nTry ");
    err.getBuffer().setLength(0);
    assertThat(run("cluster", "up", "etcd", "--prot", "1", "--memebrs", "3", "--prot", "2"))
        .isEqualTo(2);
    assertThat(err.toString()).startsWith("Unknown option: '--prot', '--memebrs'\n");
  }

  @Test
  void a_group_of_commands_ends_with_its_help() {
    assertThat(run("cluster")).isEqualTo(2);
    assertThat(err.toString())
        .startsWith("Missing required subcommand\nUsage: quorate cluster ")
        .contains("\nExamples:\n");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void the_file_that_a_value_names_with_an_at_sign_is_not_read() {
    assertThat(run("install", "@/etc/hostname")).isEqualTo(2);
    assertThat(err.toString()).startsWith("'@/etc/hostname' cannot be installed; ");
  }

  @Test
  void hosts_that_are_none_are_no_defect() {
    assertThat(run("agent", "keys", "--directory", "d", "--hosts", "999.999.999.999,,a_b"))
        .isEqualTo(1);
    assertThat(err)
        .hasToString(
            """
            host '999.999.999.999': expected a name or an IPv4 address, without a port
            host '': expected a name or an IPv4 address, without a port
            host 'a_b': expected a name or an IPv4 address, without a port
            """);
  }

  /** A command whose files are too large. */
  @Command(name = "full")
  static final class Full implements CommandProvider, Runnable {
    @Override
    public void run() {
      throw new OutOfMemoryError();
    }
  }

  @Test
  void any_command_that_runs_out_of_memory_says_so() {
    assertThat(run(List.of(new Full()), "full")).isEqualTo(1);
    assertThat(err.toString())
        .matches("The files need more memory than the [0-9,]+ MB of memory that Java may use .*\n");
  }

  @Property(seed = "1", tries = 60)
  void no_command_line_commands_the_terminal_or_shows_our_classes(
      @ForAll String text, @ForAll @IntRange(max = 4) int place) {
    String[][] lines = {
      {"x" + text},
      {"cluster", "up", "x" + text},
      {"cluster", "up", "etcd", "--members", "x" + text},
      {"cluster", "up", "etcd", "--x" + text},
      {"install", "x" + text}
    };
    err.getBuffer().setLength(0);
    assertThat(run(lines[place])).isEqualTo(2);
    assertThat(err.toString())
        .doesNotContainPattern("[\\p{C}\\p{Zl}\\p{Zp}&&[^\n]]")
        .doesNotContain("Exception", "java.");
  }

  private int run(String... arguments) {
    return run(List.of(), arguments);
  }

  private int run(List<CommandProvider> providers, String... arguments) {
    return Quorate.run(
        new PrintWriter(out, true),
        new PrintWriter(err, true),
        new Installation(Map.of(), Path.of("target"), JavaRuntime.of(System.getProperties())),
        providers,
        arguments);
  }
}
