// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.QuorateException;
import io.quorate.cli.Quorate;
import io.quorate.report.TestRuns;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Predictions from a real run of three members, frozen, and wrong files of topologies. */
class PredictCommandTest {
  private static final Path FROZEN = Path.of("src/test/resources/io/quorate/report/frozen");

  @TempDir private Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int predict(String run, String topology, String... options) throws IOException {
    Path copy = directory.resolve("run");
    TestRuns.copy(FROZEN.resolve(run), copy);
    Files.writeString(directory.resolve("zones.yaml"), topology);
    return execute(copy, options);
  }

  private int execute(Path run, String... options) {
    CommandLine command =
        new CommandLine(new PredictCommand())
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .setExecutionExceptionHandler(
                (failure, line, parsed) -> {
                  err.write(Objects.requireNonNull(failure.getMessage()));
                  return failure instanceof QuorateException ? Quorate.FAILED : Quorate.DEFECT;
                });
    List<String> arguments =
        List.of(run.toString(), "--topology", directory.resolve("zones.yaml").toString());
    return command.execute(
        Stream.concat(arguments.stream(), List.of(options).stream()).toArray(String[]::new));
  }

  /** Returns the messages, without the directory. */
  private List<String> problems() {
    return err.toString().replace(directory + "/", "").lines().toList();
  }

  @Test
  void a_frozen_run_has_the_same_prediction_each_time() throws IOException {
    assertThat(predict("closed", "topology: mn-mz\n")).as(err.toString()).isZero();
    String first = out.toString();
    assertThat(first)
        .startsWith(
            """
            predicted: mn-mz (zone-a to zone-b 1.5 ms; zone-a to zone-c 1.5 ms; zone-b to zone-c 1.5
              ms)

            etcd: put, routing spread
            leader              load             p50       p99  per second
            member 1 in zone-a  1 client     3.05 ms   9.60 ms         296
            member 1 in zone-a  10 clients  10.99 ms  35.98 ms         735
            member 1 in zone-a  50 clients  27.12 ms  94.89 ms       1,572
            member 2 in zone-b  1 client     4.55 ms  11.10 ms         205
            """)
        .contains(
            """

            zookeeper: put, routing spread
            leader              load             p50       p99  per second
            member 1 in zone-a  1 client     3.36 ms  25.01 ms         210
            """);

    out.getBuffer().setLength(0);
    assertThat(execute(directory.resolve("run"))).isZero();
    assertThat(out).hasToString(first);
  }

  @Test
  void json_has_the_prediction_of_each_leader_and_load() throws IOException {
    assertThat(predict("closed", "topology: mn-mz\n", "--json")).as(err.toString()).isZero();
    assertThat(out.toString())
        .contains("\"formatVersion\" : 1", "\"database\" : \"etcd\"", "\"zone\" : \"zone-c\"")
        .contains("\"mostPerSecond\" : ")
        .doesNotContain("NaN");
  }

  @Test
  void bandwidth_is_said_to_be_left_out() throws IOException {
    String topology = "topology: {name: mn-mz, round-trip: 5ms, bandwidth: 1Gbit/s}\n";
    assertThat(predict("closed", topology)).as(err.toString()).isZero();
    assertThat(out.toString()).endsWith("bandwidth is not part of the model\n");
  }

  @Test
  void a_life_of_connections_is_said_to_be_left_out() throws IOException {
    String topology = "topology: {name: mn-mz, round-trip: 5ms, connection-life: 30s}\n";
    assertThat(predict("closed", topology)).as(err.toString()).isZero();
    assertThat(out.toString()).endsWith("connection-life is not part of the model\n");
  }

  @Test
  void a_search_for_a_capacity_is_refused() throws IOException {
    assertThat(predict("capacity", "topology: mn-mz\n")).isEqualTo(Quorate.FAILED);
    assertThat(problems()).contains("run: etcd: found a search for a capacity, expected a run");
  }

  @Test
  void all_problems_of_a_file_are_reported_at_once() throws IOException {
    String topology =
        """
        topology:
          members: [a, b]
          load-generator: a
          regions: 3
          links:
            - {between: [a, b], round-trip: -5ms}
            - {between: [a, c], round-trip: 1ms}
        """;
    assertThat(predict("closed", topology)).isEqualTo(Quorate.FAILED);
    assertThat(out.toString()).isEmpty();
    assertThat(problems())
        .containsExactly(
            "zones.yaml:2:12: found the zones of 2 members, expected a list with the zones of 1, 3"
                + " or 5 members, such as [a, b, c]",
            "zones.yaml:4:3: found unknown key 'regions', expected one of members, load-generator,"
                + " links",
            "zones.yaml:6:37: found '-5ms', expected 0ms, or a time from 0.1ms to 10s, such as"
                + " 0.3ms or 50ms",
            "zones.yaml:7:21: found the zone 'c', where nothing is, expected one of a, b");
  }

  @Test
  void a_link_that_is_missing_is_named() throws IOException {
    String topology =
        """
        topology:
          members: [a, b, c]
          links:
            - {between: [a, b], round-trip: 5ms}
        """;
    assertThat(predict("closed", topology)).isEqualTo(Quorate.FAILED);
    assertThat(problems())
        .containsExactly(
            "zones.yaml:3:3: found no link between [a, c], [b, c], expected one for each two zones,"
                + " such as {between: [a, c], round-trip: 1.5ms}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "# nothing| zones.yaml:1:1: found an empty file, expected ",
        "| zones.yaml:1:1: found an empty file, expected ",
        "topology: [mn-mz| zones.yaml:2:1: found broken YAML (",
        "- mn-mz| zones.yaml:1:1: found a list, expected a map with the key 'topology'",
        "title: zones| zones.yaml:1:1: found no key 'topology', expected one of sn-sz, mn-sz, mn-mz",
        "topology: mn-mx| zones.yaml:1:11: found 'mn-mx', expected one of sn-sz, mn-sz, mn-mz",
      })
  void a_file_without_a_topology_is_refused(String file) throws IOException {
    String[] parts = file.split("\\|", 2);
    assertThat(predict("closed", parts[0] + (parts[0].isEmpty() ? "" : "\n")))
        .isEqualTo(Quorate.FAILED);
    assertThat(problems().get(0)).startsWith(parts[1].strip());
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void a_topology_of_other_members_is_refused_for_each_database() throws IOException {
    assertThat(predict("closed", "topology: sn-sz\n")).isEqualTo(Quorate.FAILED);
    assertThat(problems())
        .containsExactly(
            "run: etcd: found 3 members, expected 1 as in zones.yaml",
            "run: zookeeper: found 3 members, expected 1 as in zones.yaml");
  }

  @Test
  void a_mix_and_a_failed_database_are_refused_together() throws IOException {
    assertThat(predict("open", "topology: mn-mz\n")).isEqualTo(Quorate.FAILED);
    assertThat(problems())
        .anyMatch(line -> line.startsWith("run: etcd: found put, get, expected one operation"))
        .contains("run: consul: found status failed, expected complete");
  }
}
