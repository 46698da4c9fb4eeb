// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.scenario.yaml.EditorSchema;
import io.quorate.scenario.yaml.ScenarioOptions;
import io.quorate.scenario.yaml.ScenarioReader;
import io.quorate.store.Operation;
import io.quorate.store.ReadConsistency;
import io.quorate.store.ReturnedValue;
import io.quorate.store.Store;
import io.quorate.stores.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The list of etcd-benchmark.md that sets etcd's benchmark tool next to our scenarios. */
class EtcdBenchmarkInTheGuideTest {
  private static final Path GUIDE =
      EditorSchema.HOME.resolve("src/site/markdown/reference/etcd-benchmark.md");
  private static final String HEAD =
      "Each command of the tool, what `./quorate run` needs for the same, and the differences:";

  @Test
  void everything_that_is_named_exists_and_asks_etcd() throws IOException {
    Map<String, String> rows = rows();

    assertThat(rows).hasSizeGreaterThan(10);
    assertThat(rows.values())
        .allSatisfy(
            name ->
                assertThat(read(name).databases())
                    .extracting(load -> load.database().id())
                    .contains("etcd"));
  }

  @Test
  void every_command_of_the_tool_has_a_scenario() throws IOException {
    assertThat(rows().keySet().stream().map(command -> command.split(" ")[0]).distinct())
        .containsExactlyInAnyOrder(
            "put",
            "range",
            "txn-put",
            "txn-mixed",
            "stm",
            "lease-keepalive",
            "watch",
            "watch-latency",
            "watch-get");
  }

  @Test
  void watchers_are_as_many_as_those_of_the_tool() throws IOException {
    Map<String, String> rows = rows();

    assertThat(watch(rows, "watch")).isEqualTo(new WatchLoad(1_000, 10, 0));
    assertThat(watch(rows, "watch-latency")).isEqualTo(new WatchLoad(100, 10, 0));
    assertThat(watch(rows, "watch-get")).isEqualTo(new WatchLoad(10_000, 1, 8));
    assertThat(read(rows.get("watch-get")).requests().mix().isOnly(Operation.GET)).isTrue();
    assertThat(read(rows.get("watch-get")).requests().consistency())
        .isEqualTo(ReadConsistency.SERIALIZABLE);
  }

  /** Returns the watchers of the only step; of the four of watch-latency those of the third. */
  private static WatchLoad watch(Map<String, String> rows, String command) {
    List<Step> steps = read(rows.get(command)).databases().get(0).steps();
    return steps.get(steps.size() == 4 ? 2 : 0).watch().orElseThrow();
  }

  @Test
  void each_scenario_does_what_the_command_does() throws IOException {
    Map<String, String> rows = rows();

    assertThat(mix(rows, "put").isOnly(Operation.PUT)).isTrue();
    assertThat(read(rows.get("put")).requests().keys().count()).isEqualTo(1);
    assertThat(mix(rows, "put --compact-interval=5s --compact-index-delta=1000").revisionsKept())
        .isEqualTo(1_000);
    assertThat(mix(rows, "range --limit=10").range().limit()).isEqualTo(10);
    assertThat(mix(rows, "range --count-only").range().countOnly()).isTrue();
    assertThat(mix(rows, "range --keys-only").range().returned()).isEqualTo(ReturnedValue.KEYS);
    assertThat(mix(rows, "range --paginate").range().page()).isEqualTo(1_000);
    assertThat(mix(rows, "range --prefix \"\"").range().isOfAll()).isTrue();
    assertThat(mix(rows, "range KEY END").range().keys()).isEqualTo(100);
    assertThat(read(rows.get("range --consistency=s")).requests().consistency())
        .isEqualTo(ReadConsistency.SERIALIZABLE);
    assertThat(mix(rows, "txn-put").putsPerTxn()).isEqualTo(1);
    assertThat(mix(rows, "txn-mixed").operations()).containsExactly(Operation.RANGE, Operation.TXN);
    assertThat(mix(rows, "lease-keepalive").isOnly(Operation.LEASE_KEEPALIVE)).isTrue();
    assertThat(mix(rows, "stm").isOnly(Operation.STM)).isTrue();
  }

  private static OperationMix mix(Map<String, String> rows, String command) {
    assertThat(rows).containsKey(command);
    return read(rows.get(command)).requests().mix();
  }

  /** Reads the scenario that has this name, or that an operation and options describe. */
  private static Scenario read(String command) {
    List<String> words = List.of(command.split(" "));
    if (words.size() == 1) {
      return ScenarioTexts.read(EditorSchema.HOME.resolve("scenarios/" + command + ".yaml"), 1);
    }
    Map<String, String> options = new LinkedHashMap<>();
    for (int i = 1; i < words.size(); i += 2) {
      options.put(words.get(i).substring(2).replace('-', '.'), words.get(i + 1));
    }
    List<Store> databases =
        Stream.ofNullable(options.remove("database"))
            .flatMap(id -> Stores.byId(id).stream())
            .toList();
    assertThat(ScenarioOptions.NAMES).containsAll(options.keySet());
    ScenarioOptions described = new ScenarioOptions(words.get(0), options, databases);
    return ScenarioReader.read(described.file(), described.text(), 1);
  }

  /** Returns the scenario or operation with options of each command. */
  private static Map<String, String> rows() throws IOException {
    List<String> lines = Files.readAllLines(GUIDE);
    assertThat(lines).contains(HEAD);
    Map<String, String> rows = new LinkedHashMap<>();
    for (int i = lines.indexOf(HEAD); i < lines.size(); i++) {
      if (lines.get(i).startsWith("- `")) {
        rows.put(first(lines.get(i)), first(lines.get(i + 1) + " " + lines.get(i + 2).strip()));
      }
    }
    return rows;
  }

  /** Returns the first text in backquotes. */
  private static String first(String cell) {
    return cell.split("`")[1];
  }
}
