// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.scenario.LoadShare;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.Shard;
import io.quorate.scenario.Step;
import io.quorate.scenario.yaml.ScenarioReader;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.Request;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApiServerStartTest {
  private final List<String> ranges = new ArrayList<>();

  private final List<Object> failures = new ArrayList<>();

  /** A store that has no key. */
  private final Connection empty =
      new Connection() {
        @Override
        public void submit(Request request, Completion completion) {
          if (request instanceof Request.Range range) {
            ranges.add(new String(range.prefix(), StandardCharsets.US_ASCII));
          }
          completion.answered(new Answer.Written(1));
        }

        @Override
        public void close() {}
      };

  private RequestSource requests(Scenario scenario) {
    return new Workload(LoadShare.of(Shard.WHOLE, scenario, scenario.databases().get(0)))
        .measured();
  }

  private void send(RequestSource source, long from, long count) {
    for (long index = from; index < from + count; index++) {
      source.send(
          empty,
          index,
          Completion.of(
              answer -> {
                if (answer instanceof Answer.Missing) {
                  failures.add(answer);
                }
              },
              (kind, why) -> failures.add(kind)));
    }
  }

  @ParameterizedTest
  @CsvSource({"1.36, 1", "1.36, 2", "1.37, 1", "1.37, 2", "1.37, 3"})
  void an_api_server_that_starts_reads_the_large_resources_once(String version, long seed) {
    Scenario scenario =
        ScenarioReader.read(
            "k.yaml",
            """
            title: Start
            seed: %d
            kubernetes: {version: %s, nodes: 100, restart: true}
            duration: 10s
            databases: [etcd]
            """
                .formatted(seed, version),
            1);
    List<Step> parts = scenario.databases().get(0).steps();
    send(requests(scenario), parts.get(0).requests(), parts.get(1).requests());

    for (String resource : List.of("pods/", "nodes/", "leases/")) {
      assertThat(ranges).filteredOn(resource::equals).as(resource).hasSize(1);
    }
    assertThat(ranges).hasSizeGreaterThan(30);
  }

  @ParameterizedTest
  @CsvSource({"1", "2", "3"})
  void pods_that_run_out_are_no_errors(long seed) {
    Scenario scenario =
        ScenarioReader.read(
            "k.yaml",
            """
            title: Many changes
            seed: %d
            kubernetes: {version: 1.37, nodes: 10, pods-per-node: 10, pod-changes: 200/s}
            duration: 60s
            databases: [etcd]
            """
                .formatted(seed),
            1);
    Step step = scenario.databases().get(0).steps().get(0);
    send(requests(scenario), 0, step.requests());

    assertThat(failures).isEmpty();
  }
}
