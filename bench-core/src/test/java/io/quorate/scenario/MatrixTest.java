// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.quorate.scenario.yaml.InvalidScenarioException;
import io.quorate.scenario.yaml.ScenarioReader;
import io.quorate.store.Store;
import io.quorate.stores.Stores;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Scenario files with a matrix. */
class MatrixTest {
  private static final String STUDY =
      """
      title: A study
      requests: 1000
      keys: {size: 8, count: 1000}
      databases: [etcd, memory]
      members: 3
      matrix:
        repeats: 2
        axes:
          topology:
            one: {members: 1}
            three: {members: 3}
          operation: [put, get]
          consistency: [linearizable, serializable]
          routing: [leader, followers]
          values: [256]
          load:
            alone: {clients: 1}
            many: {clients: 100, connections: 10}
      """;

  @Test
  void the_cells_are_all_combinations_that_make_sense() {
    Matrix matrix = read(STUDY);

    assertThat(matrix.repeats()).isEqualTo(2);
    assertThat(matrix.axes())
        .containsExactly(
            "database", "topology", "operation", "consistency", "routing", "values", "load");
    assertThat(matrix.cells().stream().filter(cell -> cell.coordinates().containsValue("etcd")))
        .extracting(Matrix.Cell::id)
        .containsExactly(
            "001-etcd-one-put-leader-256-alone",
            "002-etcd-one-put-leader-256-many",
            "003-etcd-one-get-linearizable-leader-256-alone",
            "004-etcd-one-get-linearizable-leader-256-many",
            "005-etcd-one-get-serializable-leader-256-alone",
            "006-etcd-one-get-serializable-leader-256-many",
            "007-etcd-three-put-leader-256-alone",
            "008-etcd-three-put-leader-256-many",
            "009-etcd-three-put-followers-256-alone",
            "010-etcd-three-put-followers-256-many",
            "011-etcd-three-get-linearizable-leader-256-alone",
            "012-etcd-three-get-linearizable-leader-256-many",
            "013-etcd-three-get-linearizable-followers-256-alone",
            "014-etcd-three-get-linearizable-followers-256-many",
            "015-etcd-three-get-serializable-leader-256-alone",
            "016-etcd-three-get-serializable-leader-256-many",
            "017-etcd-three-get-serializable-followers-256-alone",
            "018-etcd-three-get-serializable-followers-256-many");
    assertThat(matrix.cells()).hasSize(36);
    assertThat(matrix.cells().size() * matrix.repeats()).isEqualTo(72);
  }

  @Test
  void a_cell_is_a_scenario_with_a_file_of_its_own() {
    Matrix.Cell cell = read(STUDY).cells().get(13);

    assertThat(cell.scenario().heading().source())
        .isEqualTo(
            """
            title: 'A study: etcd, three, get, linearizable, followers, 256, many'
            requests: 1000
            keys: {size: 8, count: 1000}
            databases: [etcd]
            members: 3
            operation: get
            consistency: linearizable
            routing: followers
            values:
              size: 256
            load: {clients: 100, connections: 10}
            """);
    assertThat(ScenarioReader.read(cell.id() + ".yaml", cell.scenario().heading().source(), 1))
        .isEqualTo(cell.scenario());
  }

  @Test
  void topologies_may_be_a_list_of_their_names() {
    String study =
        """
        title: Zones
        operation: put
        requests: 1000
        keys: {size: 8}
        values: {size: 8}
        load: {clients: 1}
        databases: [etcd]
        matrix:
          axes:
            topology: [sn-sz, mn-sz, mn-mz]
            routing: [leader, followers]
        """;

    assertThat(read(study).cells())
        .extracting(
            Matrix.Cell::id, cell -> cell.scenario().cluster().topology().orElseThrow().name())
        .containsExactly(
            tuple("001-etcd-sn-sz-leader", "sn-sz"),
            tuple("002-etcd-mn-sz-leader", "mn-sz"),
            tuple("003-etcd-mn-sz-followers", "mn-sz"),
            tuple("004-etcd-mn-mz-leader", "mn-mz"),
            tuple("005-etcd-mn-mz-followers", "mn-mz"));
    assertThatThrownBy(() -> read(study.replace("mn-sz, mn-mz", "mn-zs, [a, b]")))
        .hasMessage(
            """
            study.yaml:10:23: found 'mn-zs', expected one of sn-sz, mn-sz, mn-mz, or a map such as {name: mn-mz, round-trip: 5ms} or {members: [a, b, c], links: [...]}; did you mean 'mn-sz'?
            study.yaml:10:30: found a list, expected a list of topologies such as [sn-sz, mn-sz, mn-mz], or a map of names to keys of a scenario, such as {one: {members: 1}}\
            """);
  }

  @Test
  void versions_and_settings_are_those_of_the_servers_of_a_cell() {
    Matrix matrix =
        read(
            """
            title: Versions
            operation: put
            requests: 1000
            keys: {size: 8}
            values: {size: 8}
            load: {clients: 1}
            databases: {etcd: {settings: {snapshot-count: 5000}}}
            matrix:
              axes:
                version: [3.5.35, 3.6.16]
                settings: {few: {snapshot-count: 1000}, many: {snapshot-count: 100_000}}
            """);

    assertThat(matrix.cells())
        .extracting(cell -> cell.scenario().databases().get(0))
        .extracting(load -> load.database() + " " + load.settings())
        .containsExactly(
            "etcd@3.5.35 snapshot-count 1000",
            "etcd@3.5.35 snapshot-count 100000",
            "etcd@3.6.16 snapshot-count 1000",
            "etcd@3.6.16 snapshot-count 100000");
  }

  @Test
  void chosen_versions_of_a_database_are_those_of_a_matrix() {
    String text =
        """
        title: Versions
        operation: put
        requests: 1000
        keys: {size: 8}
        values: {size: 8}
        load: {clients: 1}
        databases: [etcd, zookeeper]
        matrix:
          axes:
            values: [256, 1024]
        """;
    String more = text + "    version: [3.5.35, 3.7.3]\n";
    for (String each : List.of(text, more.replace("zookeeper", "consul"))) {
      Matrix matrix =
          ScenarioReader.readMatrix(
                  "study.yaml",
                  each,
                  1,
                  List.of(store("etcd@a"), store("etcd@3.5.16")),
                  OptionalInt.empty())
              .orElseThrow();
      assertThat(matrix.axes()).containsExactly("database", "values", "version");
      assertThat(matrix.cells())
          .extracting(Matrix.Cell::id)
          .containsExactly(
              "001-etcd-256-a", "002-etcd-256-3.5.16", "003-etcd-1024-a", "004-etcd-1024-3.5.16");
    }
  }

  private static Store store(String id) {
    return Stores.byId(id).orElseThrow();
  }

  @Test
  void clients_and_what_they_do_on_failure_are_axes() {
    String text =
        """
        title: Clients
        operation: put
        requests: 1000
        keys: {size: 8}
        values: {size: 8}
        load: {clients: 1}
        databases: [etcd]
        matrix:
          axes:
            client: [http2, jetcd]
            on-failure: [pinned, failover]
        """;
    assertThat(read(text).cells())
        .extracting(
            cell ->
                cell.scenario().databases().get(0).client()
                    + " "
                    + cell.scenario().requests().onFailure())
        .containsExactly("http2 PINNED", "http2 FAILOVER", "jetcd PINNED", "jetcd FAILOVER");
    assertThatThrownBy(() -> read(text.replace("jetcd]", "jectd]")))
        .hasMessage(
            "study.yaml:10:21: found the client 'jectd' of etcd, expected one of http2, jetcd; did"
                + " you mean 'jetcd'?");
  }

  @Test
  void a_problem_of_many_cells_is_told_once_with_the_position_of_its_value() {
    assertThatThrownBy(
            () ->
                read(
                    STUDY
                        .replace("operation: [put, get]", "operation: [put, gett]")
                        .replace("values: [256]", "values: [256, 1XB]")
                        .replace("connections: 10", "connections: 200")
                        .replace("members: 3}", "membres: 3}")))
        .isInstanceOf(InvalidScenarioException.class)
        .hasMessage(
            """
            study.yaml:11:15: found unknown key 'membres', expected one of title, description, operation, mix, phases, kubernetes, groups, range, txn, compact, objects, sessions, leases, requests, duration, warm-up, cold-start, keys, values, consistency, watch, load, databases, members, agents, topology, security, routing, on-failure, timeout, seed, thresholds, capacity, verify, faults, fail-on, repeats, matrix; did you mean 'members'?
            study.yaml:12:22: found 'gett', expected one of put, get, exists, delete, range, compare-and-set, txn, stm, compact, lease-grant, lease-keepalive, create, remove, optimistic-create, optimistic-update, optimistic-delete, revision, lock, elect, register, expire, write, read; did you mean 'get'?
            study.yaml:15:19: found '1XB', expected a size from 0 to 1_000_000 bytes, such as 1024 or 1KiB
            study.yaml:18:41: found 200, expected no more connections than the 100 clients\
            """);
  }

  @Test
  void wrong_axes_are_told_at_once() {
    assertThatThrownBy(
            () ->
                read(
                    """
                    title: Wrong
                    operation: put
                    requests: 1000
                    keys: {size: 8}
                    values: {size: 8}
                    load: {clients: 1}
                    databases: [memory]
                    matrix:
                      repeats: 0
                      axes:
                        size: [1, 2]
                        settings: [1]
                        values: []
                        load: [1, 1, [2]]
                        variant: {'-': {databases: [etcd]}, b: 1}
                    """))
        .hasMessage(
            """
            study.yaml:9:12: found 0, expected a whole number from 1 to 100
            study.yaml:11:5: found unknown axis 'size', expected one of variant, topology, operation, consistency, routing, on-failure, values, load, version, client, settings
            study.yaml:12:15: found a list, expected a map of names to settings, such as {few: {snapshot-count: 1000}}
            study.yaml:13:13: found no value of the axis 'values', expected a list of values such as [256, 1024], or a map of names to values
            study.yaml:14:15: found 1 again, expected each value once
            study.yaml:14:18: found a list, expected a list of values such as [1, 100], or a map of names to values
            study.yaml:15:15: found the name '-', expected at most 40 letters, digits, blanks, '.', '_' and '-', first no sign
            study.yaml:15:21: found the key 'databases' in a value of an axis, expected it at the top of the file, once for all cells
            study.yaml:15:44: found 1, expected a map of names to keys of a scenario, such as {small: {values: {size: 256}}}\
            """);
  }

  @Test
  void a_matrix_of_too_many_cells_is_refused_without_making_them() {
    List<Integer> sizes = IntStream.range(0, 100).boxed().toList();
    assertThatThrownBy(
            () ->
                read(
                    STUDY
                        .replace("[256]", sizes.toString())
                        .replace("[leader, followers]", "[leader, followers, spread]")))
        .hasMessage("study.yaml:9:5: found a matrix of 6_000 cells or more, expected at most 1000");
  }

  @Test
  void whoever_expects_one_run_is_told_that_there_are_many() {
    assertThatThrownBy(() -> ScenarioReader.read("study.yaml", STUDY, 1))
        .hasMessage(
            "study.yaml:1:1: found a matrix of runs, expected a scenario of one run, such as one of"
                + " its cells: 'quorate run' runs all");
    assertThat(
            ScenarioReader.readMatrix(
                "x.yaml",
                STUDY.replaceAll("(?s)matrix.*", "x: 1"),
                1,
                List.of(),
                OptionalInt.empty()))
        .isEmpty();
  }

  private static Matrix read(String text) {
    return ScenarioReader.readMatrix("study.yaml", text, 1, List.of(), OptionalInt.empty())
        .orElseThrow();
  }
}
