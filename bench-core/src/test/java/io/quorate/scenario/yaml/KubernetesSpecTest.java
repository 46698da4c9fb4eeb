// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.quorate.scenario.LoadModel;
import io.quorate.scenario.OperationMix;
import io.quorate.scenario.OperationMix.Share;
import io.quorate.scenario.Resource;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.Step;
import io.quorate.scenario.WatchLoad;
import io.quorate.store.Operation;
import io.quorate.store.ReturnedValue;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KubernetesSpecTest {
  private static final String COUNTED =
      """
      title: 100 nodes with 1,000 Pods, as they were counted
      kubernetes: {version: 1.37, nodes: 100, pods-per-node: 10, pod-changes: 2/s, api-servers: 1}
      duration: 10m
      databases: [etcd]
      """;

  private static Scenario read(String text) {
    return ScenarioReader.read("kubernetes.yaml", text, 1);
  }

  private static Step onlyStep(Scenario scenario) {
    return scenario.databases().get(0).steps().get(0);
  }

  @Test
  void the_guide_has_the_table() throws IOException {
    String guide =
        Files.readString(EditorSchema.HOME.resolve("src/site/markdown/how-to/kubernetes-load.md"));

    assertThat(KubernetesRequests.all()).hasSize(46);
    assertThat(KubernetesRequests.all())
        .allSatisfy(
            row ->
                assertThat(guide)
                    .contains(
                        "|%s|%s|%s|%s|%s|%d|%s|%s|"
                            .formatted(
                                row.action(),
                                row.version(),
                                row.request(),
                                row.resource(),
                                row.bytes() == 0 ? "" : row.bytes(),
                                row.count(),
                                row.per(),
                                row.seconds() == 0 ? "" : row.seconds())));
  }

  /** 10 + 0.333 heartbeats, 1 started and 1 removed Pod, and the requests of an API server. */
  @Test
  void the_rates_of_operations_are_those_of_the_table() {
    Scenario scenario = read(COUNTED);

    assertThat(scenario.requests().mix().shares())
        .containsExactly(
            new Share(Operation.GET, 2_000 + 400),
            new Share(Operation.RANGE, 100 + 163 + 19),
            new Share(Operation.LEASE_GRANT, 200 + 16),
            new Share(Operation.OPTIMISTIC_CREATE, 7_000),
            new Share(Operation.OPTIMISTIC_UPDATE, 10_000 + 333 + 4_000 + 2_000 + 300),
            new Share(Operation.OPTIMISTIC_DELETE, 1_000),
            new Share(Operation.REVISION, 984));
    assertThat(onlyStep(scenario).model())
        .isEqualTo(new LoadModel.Open(29, LoadModel.Arrivals.CONSTANT, 10_000));
  }

  @Test
  void resources_have_the_keys_sizes_and_prefixes_of_the_table() {
    List<Resource> resources = read(COUNTED).requests().keys().resources();

    assertThat(resources)
        .extracting(Resource::name, Resource::keys, Resource::valueBytes, Resource::prefixes)
        .containsExactly(
            tuple("leases", 100L, 477, 1),
            tuple("nodes", 100L, 9_500, 1),
            tuple("pods", 900L, 3_860, 1),
            tuple("masterleases", 1L, 61, 1),
            tuple("peerserverleases", 1L, 138, 1),
            tuple("events", 0L, 663, 1),
            tuple("others", 0L, 0, 59));
    assertThat(resources)
        .filteredOn(Resource::leased)
        .extracting(Resource::name)
        .containsExactly("events");
    assertThat(resources)
        .filteredOn(Resource::watched)
        .extracting(Resource::name)
        .containsExactly("leases", "nodes", "pods", "others");
    assertThat(read(COUNTED).requests().keys().watchedPrefixes())
        .hasSize(62)
        .startsWith("leases/", "nodes/", "pods/", "others-1/")
        .endsWith("others-59/");
  }

  @Test
  void each_API_server_watches_every_resource_but_events_on_a_stream() {
    Scenario three = read(COUNTED.replace("api-servers: 1", "api-servers: 3"));

    assertThat(onlyStep(three).watch())
        .hasValue(new WatchLoad(186, 186, 0, true, true, 66_000, 450_000, 0));
    assertThat(onlyStep(read(COUNTED.replace("1.37", "1.36"))).watch().orElseThrow().watchers())
        .isEqualTo(58);
  }

  @Test
  void only_newer_API_servers_read_by_streams() {
    OperationMix newer = read(COUNTED).requests().mix();
    OperationMix older = read(COUNTED.replace("1.37", "1.36")).requests().mix();

    assertThat(newer.range())
        .isEqualTo(new OperationMix.RangeShape(0, 0, ReturnedValue.ENTRIES, 0, true));
    assertThat(older.range())
        .isEqualTo(new OperationMix.RangeShape(0, 0, ReturnedValue.ENTRIES, 10_000, false));
    assertThat(newer.leases()).isEqualTo(new OperationMix.Leases(10, 90_000, 15));
    assertThat(newer.objects()).hasValue(new OperationMix.Objects(100, true, 90, 0));
  }

  @Test
  void Pods_change_in_proportion_to_the_nodes_by_default() {
    Scenario large =
        read(COUNTED.replace("nodes: 100,", "nodes: 5_000,").replace("pod-changes: 2/s, ", ""));

    assertThat(large.requests().mix().weight(Operation.OPTIMISTIC_DELETE)).isEqualTo(10_000);
    assertThat(large.requests().mix().weight(Operation.OPTIMISTIC_CREATE)).isEqualTo(70_000);
  }

  @Test
  void an_API_server_that_starts_again_reads_everything_within_a_second() {
    Scenario restart = read(COUNTED.replace("api-servers: 1}", "api-servers: 1, restart: true}"));

    List<Step> steps = restart.databases().get(0).steps();
    assertThat(steps)
        .extracting(Step::requests)
        .containsExactly(29L * 600, 29L + 266 + 63, 29L * 600);
    assertThat(steps.get(1).shares().orElseThrow())
        .contains(new Share(Operation.RANGE, 63_282), new Share(Operation.REVISION, 266_984));
    assertThat(restart.isWatched()).isFalse();
  }

  @Test
  void custom_objects_have_the_given_size_and_are_updated_every_minute_on_each_node() {
    Scenario custom = read(COUNTED.replace("api-servers: 1}", "api-servers: 1, crd-size: 64KiB}"));

    List<Resource> resources = custom.requests().keys().resources();
    assertThat(resources)
        .filteredOn(each -> each.name().equals("custom"))
        .containsExactly(
            new Resource(
                "custom",
                1,
                100,
                65_536,
                true,
                false,
                List.of(
                    new Share(Operation.RANGE, 1), new Share(Operation.OPTIMISTIC_UPDATE, 1_667))));
    assertThat(onlyStep(custom).watch().orElseThrow().watchers()).isEqualTo(63);
    assertThatThrownBy(
            () -> read(COUNTED.replace("api-servers: 1}", "api-servers: 1, crd-size: 257KiB}")))
        .hasMessageContaining("expected a size from 1KiB to 256KiB");
  }

  @Test
  void a_key_that_follows_from_the_cluster_is_refused() {
    assertThatThrownBy(() -> read(COUNTED + "load: {rate: 5/s}\nwarm-up: 3\n"))
        .hasMessageContaining("the key 'load' together with 'kubernetes'")
        .hasMessageContaining("the key 'warm-up' together with 'kubernetes'");
    assertThatThrownBy(() -> read(COUNTED.replace("1.37", "1.35")))
        .hasMessageContaining("found 1.35, expected 1.36 or 1.37");
    assertThatThrownBy(() -> read(COUNTED.replace("2/s", "0/s")))
        .hasMessageContaining("expected a rate from 0.01/s to 9999/s");
    assertThatThrownBy(() -> read(COUNTED.replace("[etcd]", "[etcd@3.5.35, zookeeper]")))
        .hasMessageContaining(
            "a streamed range of etcd@3.5.35: only etcd (from 3.7 on) and kine stream them")
        .hasMessageContaining("ZooKeeper returns no current value when a condition fails");
  }

  @Test
  void options_replace_the_numbers_of_the_cluster() {
    Map<String, String> options =
        Map.of(
            "kubernetes", "1.36",
            "nodes", "200",
            "pods.per.node", "20",
            "pod.changes", "4",
            "api.servers", "2",
            "crd.size", "256KiB");

    Scenario changed = read(ScenarioReader.with("kubernetes.yaml", COUNTED, options));

    assertThat(changed.requests().mix().range().page()).isEqualTo(10_000);
    assertThat(changed.requests().keys().resources())
        .extracting(Resource::keys)
        .containsExactly(200L, 200L, 3_600L, 2L, 2L, 200L, 0L, 0L);
    assertThat(changed.requests().mix().weight(Operation.OPTIMISTIC_DELETE)).isEqualTo(2_000);
    assertThat(onlyStep(changed).watch().orElseThrow().watchers()).isEqualTo(118);
    assertThatThrownBy(
            () ->
                ScenarioReader.with(
                    "puts.yaml",
                    """
                    title: Puts
                    operation: put
                    requests: 1_000
                    keys: {size: 16}
                    values: {size: 16}
                    load: {clients: 2}
                    databases: [etcd]
                    """,
                    Map.of("nodes", "5")))
        .hasMessage(
            "--nodes: found a scenario without 'kubernetes', expected a scenario of a Kubernetes"
                + " cluster, such as kubernetes-nodes");
  }
}
