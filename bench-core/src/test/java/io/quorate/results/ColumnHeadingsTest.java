// SPDX-License-Identifier: Apache-2.0
package io.quorate.results;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.results.hosts.HostMeasurements;
import io.quorate.results.latency.LatencyLog;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.Manifests;
import io.quorate.results.manifest.StoreInfo;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The headings of the columns of a run. */
class ColumnHeadingsTest {
  private final List<DatabaseRun> databases = new ArrayList<>();

  private void add(String id, String tag, Map<String, String> settings) {
    Manifest manifest = Manifests.of(id, tag, 1, 100);
    StoreInfo chosen = new StoreInfo(id, tag, manifest.store().servers(), settings);
    databases.add(
        new DatabaseRun(
            new DatabaseDirectory(Path.of(id)),
            new Manifest(
                manifest.status(),
                manifest.reason(),
                manifest.start(),
                manifest.end(),
                manifest.suite(),
                manifest.scenario(),
                chosen,
                manifest.load(),
                manifest.host(),
                manifest.costs(),
                manifest.verification(),
                Optional.empty(),
                List.of(),
                manifest.files(),
                manifest.sizes()),
            Optional.empty(),
            LatencyLog.Contents.NONE,
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            Optional.empty(),
            new Journals(
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                Optional.empty(),
                Optional.empty()),
            new HostMeasurements(new DatabaseDirectory(Path.of(id))),
            List.of()));
  }

  private List<String> headings() {
    return new ExperimentRun.ColumnHeadings(databases, List.of())
        .unique().stream().map(each -> each.manifest().store().tag()).toList();
  }

  @Test
  void different_versions_are_headed_by_their_versions() {
    add("zookeeper@3.8.6", "zookeeper-v3.8.6", Map.of("tickTime", "1s"));
    add("zookeeper", "zookeeper-v3.9.5", Map.of());
    assertThat(headings()).containsExactly("zookeeper-v3.8.6", "zookeeper-v3.9.5");
  }

  @Test
  void columns_of_one_version_are_told_apart_by_the_settings_that_differ() {
    add("etcd", "etcd-v3.7.3", Map.of("snapshot-count", "1000", "heartbeat-interval", "50ms"));
    add("etcd@3.7.3", "etcd-v3.7.3", Map.of("heartbeat-interval", "50ms"));
    add("consul", "consul-v1.22.7", Map.of());
    assertThat(headings())
        .containsExactly("etcd-v3.7.3-snapshot-count-1000", "etcd-v3.7.3", "consul-v1.22.7");
  }

  @Test
  void columns_that_differ_in_nothing_are_headed_as_the_scenario_calls_them() {
    add("etcd", "etcd-v3.7.3", Map.of());
    add("etcd@3.7.3", "etcd-v3.7.3", Map.of());
    assertThat(headings()).containsExactly("etcd", "etcd@3.7.3");
  }

  @Test
  void a_heading_that_is_taken_gets_a_number() {
    add("etcd", "etcd-v3.7.3", Map.of());
    add("etcd@3.7.3", "etcd-v3.7.3", Map.of());
    add("zookeeper", "etcd", Map.of());
    assertThat(headings()).containsExactly("etcd-2", "etcd@3.7.3", "etcd");
  }
}
