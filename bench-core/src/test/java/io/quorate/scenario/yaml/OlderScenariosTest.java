// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.scenario.KeySpace;
import io.quorate.scenario.LoadModel;
import io.quorate.scenario.Routing;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.StoreLoad;
import io.quorate.scenario.ValueSizes;
import io.quorate.store.ReadConsistency;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The scenarios that came with Quorate when it knew writes and reads in a closed loop only: these
 * copies of them are never changed, and mean today what they meant then.
 */
class OlderScenariosTest {
  private static final String BASELINE = "baseline";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "baseline                             | put | 5000000  | 2000000 | 100000 prepared of 64"
            + " random      | 256  | 3 | memory 1/1/1000000 10/10/1000000 100/100/1000000"
            + " 1000/1000/1000000 5000/5000/1000000",
        "harness-clients                      | put | 250000   | 50000   | 250000 created of 256"
            + " sequential  | 1024 | 1 | etcd 1/1/50000 10/10/50000 100/100/50000 1000/1000/50000"
            + " 5000/5000/50000; zookeeper 1/1/60000 10/10/60000 100/100/60000 1000/1000/70000",
        "harness-consul                       | put | 400000   | 200000  | 400000 created of 256"
            + " sequential  | 1024 | 1 | consul 100/100/400000",
        "harness-memory                       | put | 10000000 | 500000  | 100000 prepared of 64"
            + " random      | 256  | 3 | memory 1000/100/10000000",
        "harness-vs-etcd-benchmark            | put | 300000   | 60000   | 300000 created of 256"
            + " sequential  | 1024 | 1 | etcd 1000/100/300000",
        "harness-vs-etcd-benchmark-1-client   | put | 20000    | 20000   | 20000 created of 256"
            + " sequential   | 1024 | 1 | etcd 1/1/20000",
        "harness-zookeeper                    | put | 600000   | 300000  | 600000 created of 256"
            + " sequential  | 1024 | 1 | zookeeper 100/100/600000",
        "quick                                | put | 15000    | 2000    | 15000 created of 256"
            + " sequential   | 1024 | 3 | etcd 1/1/5000 10/10/5000 100/100/5000; zookeeper 1/1/5000"
            + " 10/10/5000 100/100/5000; consul 1/1/5000 10/10/5000 100/100/5000",
        "read-3M-same-keys-1K-client          | get | 3000000  | 20000   | 1 prepared of 256"
            + " sequential      | 1024 | 3 | etcd 1000/1000/3000000; zookeeper 1000/1000/3000000;"
            + " consul 1000/1000/3000000",
        "read-3M-same-keys-best-throughput    | get | 3000000  | 20000   | 1 prepared of 256"
            + " sequential      | 1024 | 3 | etcd 1000/1000/3000000; zookeeper 700/700/3000000;"
            + " consul 500/500/3000000",
        "write-100K-keys-1-client             | put | 100000   | 10000   | 100000 created of 256"
            + " sequential  | 1024 | 3 | etcd 1/1/100000; zookeeper 1/1/100000",
        "write-1M-keys-1000-client            | put | 1000000  | 20000   | 1000000 created of 256"
            + " sequential | 1024 | 3 | etcd 1000/1000/1000000; zookeeper 1000/1000/1000000; consul"
            + " 1000/1000/1000000",
        "write-1M-keys-best-throughput        | put | 1000000  | 20000   | 1000000 created of 256"
            + " sequential | 1024 | 3 | etcd 1000/100/1000000; zookeeper 700/700/1000000; consul"
            + " 500/500/1000000",
        "write-too-many-keys                  | put | 3000000  | 20000   | 3000000 created of 256"
            + " sequential | 1024 | 3 | etcd 1000/1000/3000000",
        "write-1M-keys-client-variable        | put | 1000000  | 20000   | 1000000 created of 256"
            + " sequential | 1024 | 3 | etcd 1/1/120000 10/10/120000 50/50/120000 100/100/120000"
            + " 300/300/120000 500/500/120000 700/700/120000 1000/1000/160000; zookeeper 1/1/120000"
            + " 10/10/120000 50/50/120000 100/100/120000 300/300/120000 500/500/120000"
            + " 700/700/120000 1000/1000/160000; consul 1/1/120000 10/10/120000 50/50/120000"
            + " 100/100/120000 300/300/120000 500/500/120000 700/700/120000 1000/1000/160000",
      })
  void an_older_scenario_means_what_it_meant(
      String name,
      String mix,
      long requests,
      long warmUp,
      String keys,
      int valueBytes,
      int members,
      String loads) {
    Scenario scenario = older(name, 1);

    assertThat(scenario.requests().mix()).hasToString(mix);
    assertThat(scenario.requests().measured()).isEqualTo(requests);
    assertThat(scenario.requests().warmUp()).isEqualTo(warmUp);
    assertThat(keys(scenario.requests().keys())).isEqualTo(keys);
    assertThat(scenario.requests().values()).isEqualTo(ValueSizes.fixed(valueBytes));
    assertThat(scenario.cluster().members()).isEqualTo(members);
    assertThat(scenario.databases().stream().map(OlderScenariosTest::load))
        .containsExactly(loads.split("; "));
    assertThat(scenario.requests().consistency()).isEqualTo(ReadConsistency.LINEARIZABLE);
    assertThat(scenario.requests().timeout())
        .isEqualTo(Duration.ofSeconds(name.equals("harness-clients") ? 30 : 5));
    assertThat(scenario.cluster().agents()).isEmpty();
    assertThat(scenario.requests().routing()).isEqualTo(Routing.SPREAD);
    assertThat(scenario.requests().seed()).isEqualTo(1);
    assertThat(scenario.databases())
        .flatMap(StoreLoad::steps)
        .allSatisfy(
            step -> {
              assertThat(step.model())
                  .isEqualTo(new LoadModel.Closed(step.clients(), OptionalLong.empty()));
              assertThat(step.duration()).isEqualTo(Optional.empty());
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "baseline                          | 0.01   | 50000  | 20000 | 100000 prepared of 64 random"
            + "     | memory 1/1/10000 10/10/10000 100/100/10000 1000/1000/10000 5000/5000/10000",
        "quick                             | 0.01   | 300    | 20    | 300 created of 256"
            + " sequential    | etcd 1/1/100 10/10/100 100/100/100",
        "read-3M-same-keys-best-throughput | 0.0001 | 1000   | 100   | 1 prepared of 256 sequential"
            + "     | etcd 1000/1000/1000",
        "write-1M-keys-best-throughput     | 0.5    | 500000 | 20000 | 500000 created of 256"
            + " sequential | etcd 1000/100/500000",
      })
  void an_older_scenario_scales_as_it_did(
      String name, double scale, long requests, long warmUp, String keys, String firstLoad) {
    Scenario scenario = older(name, scale);

    assertThat(scenario.requests().measured()).isEqualTo(requests);
    assertThat(scenario.requests().warmUp()).isEqualTo(warmUp);
    assertThat(keys(scenario.requests().keys())).isEqualTo(keys);
    assertThat(load(scenario.databases().get(0))).isEqualTo(firstLoad);
  }

  @ParameterizedTest
  @ValueSource(strings = {"quick", "harness-clients"})
  void the_schema_of_today_accepts_it_if_it_has_no_older_names(String name) {
    assertThat(EditorSchema.accepts(text(name))).isTrue();
  }

  @Test
  void titles_and_descriptions_are_as_they_were() {
    Scenario scenario = older(BASELINE, 1);

    assertThat(scenario.heading().title())
        .isEqualTo(
            "What the harness itself can do, 5M writes to a map in memory, clients 1 to 5,000");
    assertThat(scenario.heading().description())
        .isEqualTo(
            """
            No server and no network: the figures are those of the load generator alone. A store whose figures come near these is
            not what limits the run.\
            """);
    assertThat(scenario.heading().source()).isEqualTo(text(BASELINE));
  }

  private static String keys(KeySpace keys) {
    return "%d %s of %d %s"
        .formatted(
            keys.count(),
            keys.prepared() ? "prepared" : "created",
            keys.sizeBytes(),
            keys.order().id());
  }

  /** Returns the load of a database: of each step clients, connections and requests. */
  private static String load(StoreLoad load) {
    return load.steps().stream()
        .map(step -> " %d/%d/%d".formatted(step.clients(), step.connections(), step.requests()))
        .collect(Collectors.joining("", load.database().id(), ""));
  }

  private static Scenario older(String name, double scale) {
    return ScenarioReader.read(name + ".yaml", text(name), scale);
  }

  private static String text(String name) {
    try (InputStream in =
        OlderScenariosTest.class.getResourceAsStream("version-1/" + name + ".yaml")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
