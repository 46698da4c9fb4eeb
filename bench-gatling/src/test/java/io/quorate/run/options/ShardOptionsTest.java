// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.results.manifest.ServerInfo;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShardOptionsTest {
  private static Properties properties(String... pairs) {
    Properties properties = new Properties();
    properties.setProperty("quorate.home", System.getProperty("quorate.home"));
    for (int i = 0; i < pairs.length; i += 2) {
      properties.setProperty(pairs[i], pairs[i + 1]);
    }
    return properties;
  }

  private static String fromEnvironment(Map<String, String> environment) {
    Properties properties = new Properties();
    ShardOptions.addFromEnvironment(properties, environment);
    return properties.getProperty("shard");
  }

  @Test
  void a_pod_of_an_indexed_job_knows_which_shard_it_is() {
    assertThat(fromEnvironment(Map.of("QUORATE_SHARDS", "8", "JOB_COMPLETION_INDEX", "0")))
        .isEqualTo("1/8");
    assertThat(fromEnvironment(Map.of("QUORATE_SHARDS", "8", "JOB_COMPLETION_INDEX", "7")))
        .isEqualTo("8/8");
    assertThat(fromEnvironment(Map.of("JOB_COMPLETION_INDEX", "7"))).isNull();
    Properties given = properties("shard", "2/3");
    ShardOptions.addFromEnvironment(
        given, Map.of("QUORATE_SHARDS", "8", "JOB_COMPLETION_INDEX", "0"));
    assertThat(given.getProperty("shard")).isEqualTo("2/3");
  }

  @Test
  void half_an_environment_is_refused() {
    assertThatThrownBy(() -> fromEnvironment(Map.of("QUORATE_SHARDS", "8")))
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            "found QUORATE_SHARDS=8 and JOB_COMPLETION_INDEX=, expected how many shards there are"
                + " and the number of this one, from 0: 8 and 0 to 7; or give --shard 1/8");
  }

  @Test
  void a_shard_starts_no_servers_of_its_own() {
    assertThatThrownBy(() -> RunSettings.of(properties("shard", "1/2")).readScenario())
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            "endpoints: a shard starts no servers. Pass --endpoints HOST:PORT,..., "
                + "or --barrier to all shards and --agents to one");
    assertThatThrownBy(
            () ->
                RunSettings.of(
                        properties("shard", "1/2", "agents", "a:1", "capacity.search", "quick"))
                    .readScenario())
        .hasMessageStartingWith(
            "agents: a shard with agents announces its servers in a " + "barrier")
        .hasMessageContaining("\ncapacity: found a search by a shard");
  }

  @Test
  void one_shard_has_agents_and_the_others_wait_for_its_servers() {
    RunSettings holder =
        RunSettings.of(properties("shard", "1/2", "agents", "a:1", "barrier", "b"));
    assertThat(holder.hosting(holder.readScenario())).isEqualTo(ServerInfo.Hosting.AGENTS);
    RunSettings other = RunSettings.of(properties("shard", "2/2", "barrier", "b"));
    assertThat(other.hosting(other.readScenario())).isEqualTo(ServerInfo.Hosting.GIVEN);
    RunSettings whole = RunSettings.of(properties());
    assertThat(whole.hosting(whole.readScenario())).isEqualTo(ServerInfo.Hosting.LOCAL);
  }

  @Test
  void agents_of_the_scenario_and_secured_servers_are_no_servers_of_one_shard(
      @TempDir Path directory) throws Exception {
    String scenario =
        """
        title: Mine
        operation: put
        requests: 10
        keys: {size: 8}
        values: {size: 8}
        load: {clients: 2}
        databases: [etcd]
        """;
    Path agents = Files.writeString(directory.resolve("agents.yaml"), scenario + "agents: [a:1]\n");
    Path secured =
        Files.writeString(directory.resolve("secured.yaml"), scenario + "security: tls\n");
    assertThatThrownBy(
            () ->
                RunSettings.of(
                        properties("shard", "1/2", "barrier", "b", "scenario", agents.toString()))
                    .readScenario())
        .hasMessage(
            "agents: every shard would start servers. Remove 'agents' from the scenario, and "
                + "pass --agents to one shard");
    assertThatThrownBy(
            () ->
                RunSettings.of(
                        properties("shard", "1/2", "barrier", "b", "scenario", secured.toString()))
                    .readScenario())
        .hasMessage(
            "security: found tls, but keys and passwords of servers that agents start are known to"
                + " one shard only: leave it out, or name servers of your own with --endpoints");
  }
}
