// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.options;

import static io.quorate.run.options.RunSettingsTest.properties;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.results.RunDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScenarioSourceTest {
  @Test
  void clients_of_the_options_replace_those_of_a_scenario_in_its_plan(@TempDir Path home)
      throws Exception {
    Path scenario = home.resolve("unequal.yaml");
    Files.writeString(
        scenario,
        """
        title: Puts
        operation: put
        requests: 1000
        keys: {size: 8}
        values: {size: 8}
        databases: {etcd: {clients: 9}, consul: {clients: 3, connections: 2}}
        """);
    RunSettings settings =
        RunSettings.of(properties("scenario", scenario.toString(), "clients", "5")).planned();

    assertThat(settings.source().isOfOptions()).isTrue();
    assertThat(settings.plan().orElseThrow().scenario()).contains("(--clients 5)");
    assertThat(settings.readScenario().databases())
        .allSatisfy(load -> assertThat(load.steps().get(0).clients()).isEqualTo(5));
    assertThatThrownBy(
            () ->
                RunSettings.of(
                        properties("scenario", scenario.toString(), "clients", "5", "keys", "7"))
                    .planned())
        .hasMessageStartingWith("--keys: found the scenario ");
  }

  @Test
  void the_scenario_file_is_read_once_and_problems_name_it(@TempDir Path home) throws Exception {
    Path file = home.resolve("mine.yaml");
    Files.writeString(file, "title: First\nsize: 1\n");
    Properties properties = properties("scenario", "mine.yaml");
    properties.setProperty("quorate.directory", home.toString());
    RunSettings planned = RunSettings.of(properties).planned();
    Path run = Files.createDirectories(home.resolve("results/mine/1"));
    Path plan = planned.plan().orElseThrow().write(new RunDirectory(run));
    Files.writeString(file, "title: Second\n\n\nlength: 1\n");

    properties.setProperty("quorate.plan", plan.toString());
    properties.setProperty("database", "memory");
    RunSettings ofLoadGenerator = RunSettings.of(properties);
    assertThat(ofLoadGenerator.plan()).isEqualTo(planned.plan());
    assertThatThrownBy(ofLoadGenerator::readScenario).hasMessageContaining("mine.yaml:2:1: ");
  }

  @Test
  void a_scenario_of_options_is_saved_once(@TempDir Path home) {
    Properties properties =
        properties("scenario", "put", "database", "memory", "requests", "500", "save", "my.yaml");
    properties.setProperty("quorate.directory", home.toString());
    ScenarioSource source = RunSettings.of(properties).source();
    source.save();

    assertThat(home.resolve("my.yaml")).content().isEqualTo(source.read().scenario());
    assertThat(source.isOfOptions()).isTrue();
    assertThatThrownBy(source::save)
        .hasMessage("--save: %s exists. Name another file, or remove it", home.resolve("my.yaml"));
  }

  @Test
  void a_scenario_of_a_file_is_not_saved() {
    ScenarioSource source =
        RunSettings.of(properties("scenario", "quick", "save", "my.yaml")).source();

    assertThatThrownBy(source::isOfOptions)
        .hasMessageStartingWith("--save: found the scenario 'quick', which has these values in");
  }

  @Test
  void an_operation_has_no_nodes() {
    ScenarioSource source =
        RunSettings.of(properties("scenario", "put", "pods.per.node", "5")).source();

    assertThatThrownBy(source::described)
        .hasMessage(
            "--pods-per-node: found the operation put, expected a scenario of a Kubernetes cluster,"
                + " such as kubernetes-nodes");
  }
}
