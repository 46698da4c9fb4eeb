// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.results.RunDirectory;
import io.quorate.scenario.Scenario;
import io.quorate.store.Endpoint;
import io.quorate.store.consul.ConsulStore;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.zookeeper.ZooKeeperStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunSettingsTest {
  static Properties properties(String... namesAndValues) {
    Properties properties = new Properties();
    properties.setProperty("quorate.home", "/opt/quorate");
    properties.setProperty("quorate.directory", "/home/me");
    for (int i = 0; i < namesAndValues.length; i += 2) {
      properties.setProperty(namesAndValues[i], namesAndValues[i + 1]);
    }
    return properties;
  }

  @Test
  void nothing_asked_for_is_the_whole_quick_scenario_on_servers_of_our_own() {
    RunSettings settings = RunSettings.of(properties());
    assertThat(settings.source().name()).isEqualTo("quick");
    assertThat(settings.scale()).isEqualTo(1);
    assertThat(settings.databases()).isEmpty();
    assertThat(settings.servers().endpoints()).isEmpty();
    assertThat(settings.clients()).isEmpty();
    assertThat(settings.results()).isEqualTo(Path.of("/opt/quorate/results"));
  }

  @Test
  void an_option_that_is_given_has_a_value() {
    assertThatThrownBy(
            () ->
                RunSettings.of(
                    properties(
                        "scenario", "", "scale", " ", "results", "true", "agent.keys", "\t")))
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            """
            scenario: found nothing, expected a value; leave the option out
            scale: found nothing, expected a value; leave the option out
            agent.keys: found nothing, expected a value; leave the option out
            results: found nothing, expected a value; leave the option out\
            """);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", ",", "a:1,", ",a:1", "a:1,,b:2", " , "})
  void a_list_that_is_given_has_no_empty_place(String list) {
    for (String option : List.of("endpoints", "agents")) {
      assertThatThrownBy(() -> RunSettings.of(properties(option, list)))
          .isInstanceOf(QuorateException.class)
          .hasMessageContaining("found ");
    }
    assertThatThrownBy(() -> RunSettings.of(properties("database", list.replace("a:1", "etcd"))))
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining("expected ");
  }

  @Test
  void a_value_that_maven_could_not_decode_is_refused() {
    for (String lost : List.of("r\uFFFD", "r\\ufffd")) {
      assertThatThrownBy(() -> RunSettings.of(properties("results", lost)))
          .isInstanceOf(QuorateException.class)
          .hasMessage(
              "results: Maven could not read all characters of its value: set LC_ALL=C.UTF-8 (or"
                  + " another locale of UTF-8)");
    }
  }

  @Test
  void all_wrong_options_are_told_at_once() {
    assertThatThrownBy(
            () ->
                RunSettings.of(
                    properties(
                        "scale",
                        "2",
                        "database",
                        "etdc,etcd,etcd",
                        "endpoints",
                        "me:pw@a:1,b",
                        "consul.client",
                        "foo")))
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            """
            The scale is '2', but it must be a number above 0 and at most 1, such as 0.01 for a hundredth of the requests.
            database 'etdc': expected one of etcd, zookeeper, consul, zetcd, cetcd, kine, clickhouse-keeper, memory; did you mean 'etcd'?
            database 'etcd': found twice, expected each once
            endpoint 1 of 2: user names and passwords are not used and would end in the files of a run; expected HOST:PORT, such as 127.0.0.1:2379
            endpoint 2 of 2: expected HOST:PORT, such as 127.0.0.1:2379
            consul.client 'foo': expected one of [http, library]\
            """);
  }

  @Test
  void a_client_of_the_options_replaces_the_default_but_no_other_one_of_the_scenario(
      @TempDir Path home) throws Exception {
    Path scenario = home.resolve("jetcd.yaml");
    Files.writeString(
        scenario,
        """
        title: Clients
        operation: put
        requests: 1000
        keys: {size: 8}
        values: {size: 8}
        load: {clients: 1}
        databases: {etcd: {client: jetcd}, consul: }
        """);
    RunSettings settings =
        RunSettings.of(properties("scenario", scenario.toString(), "consul.client", "library"));
    assertThat(settings.readScenario().databases())
        .extracting(load -> settings.client(load).id())
        .containsExactly("jetcd", "library");
    RunSettings other =
        RunSettings.of(properties("scenario", scenario.toString(), "etcd.client", "http2"));
    assertThatThrownBy(other::readScenario)
        .hasMessage(
            "etcd.client: found http2, and the client jetcd in the scenario: remove one of them");
    Files.writeString(
        scenario,
        Files.readString(scenario).replace("{etcd: {client: jetcd}, consul: }", "[etcd]")
            + "watch: {watchers: 10, streams: 10, slow: 100ms}\n");
    RunSettings slow =
        RunSettings.of(properties("scenario", scenario.toString(), "etcd.client", "jetcd"));
    assertThatThrownBy(slow::readScenario)
        .hasMessage(
            "etcd.client: found jetcd with slow streams of watches, expected no such option, as this client cannot do that");
  }

  @Test
  void a_relative_directory_of_results_is_relative_to_where_the_person_is() {
    assertThat(RunSettings.of(properties("results", "here")).results())
        .isEqualTo(Path.of("/home/me/here"));
  }

  @Test
  void lists_are_separated_by_commas() {
    RunSettings settings =
        RunSettings.of(properties("database", "etcd, zookeeper", "endpoints", "a:1,b:2"));
    assertThat(settings.databases()).containsExactly(EtcdStore.STORE, ZooKeeperStore.STORE);
    assertThat(settings.servers().endpoints())
        .containsExactly(new Endpoint("a", 1), new Endpoint("b", 2));
  }

  @Test
  void an_unknown_database_is_refused_with_those_that_there_are() {
    assertThatThrownBy(() -> RunSettings.of(properties("database", "etdc")))
        .isInstanceOf(QuorateException.class)
        .hasMessageStartingWith("database 'etdc': expected one of etcd, zookeeper");
  }

  @Test
  void a_wrong_endpoint_is_refused() {
    assertThatThrownBy(() -> RunSettings.of(properties("endpoints", "127.0.0.1")))
        .isInstanceOf(QuorateException.class)
        .hasMessage("endpoint '127.0.0.1': expected HOST:PORT, such as 127.0.0.1:2379");
    assertThatThrownBy(() -> RunSettings.of(properties("endpoints", "host:99999")))
        .isInstanceOf(QuorateException.class);
  }

  @Test
  void as_many_agents_as_a_cluster_has_members() {
    assertThatThrownBy(() -> RunSettings.of(properties("agents", "a:1,b:2")))
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            "agents: found [a:1, b:2], expected 1, 3 or 5 different ones, one for each member");
    assertThatThrownBy(() -> RunSettings.of(properties("agents", "a:1,b:2,a:1")))
        .isInstanceOf(QuorateException.class);
  }

  @Test
  void agents_that_are_asked_for_are_in_place_of_the_members_of_the_scenario() {
    Properties properties = properties("agents", "a:1");
    properties.setProperty("quorate.home", System.getProperty("quorate.home"));
    Scenario scenario = RunSettings.of(properties).readScenario();
    assertThat(scenario.cluster().agents()).containsExactly(new Endpoint("a", 1));
    assertThat(scenario.cluster().members()).isEqualTo(1);
  }

  @Test
  void agents_and_endpoints_contradict_each_other() {
    Properties properties = properties("agents", "a:1", "endpoints", "b:2");
    properties.setProperty("quorate.home", System.getProperty("quorate.home"));
    assertThatThrownBy(() -> RunSettings.of(properties).readScenario())
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining(
            "found both agents, which start servers, and endpoints of running servers");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"compact 5s", "defragment", "defragment-leader", "snapshot", "transfer-leader"})
  void what_affects_all_users_of_an_existing_cluster_needs_a_permission(
      String work, @TempDir Path home) throws Exception {
    Files.writeString(
        home.resolve("my.yaml"),
        """
        title: Maintenance
        mix: {put: 1, get: 1}
        keys: {size: 64, count: 100, distribution: uniform}
        values: {size: 100}
        load: {rate: 50/s, connections: 4}
        databases: [etcd]
        faults: {inject: [%s], times: 1}
        """
            .formatted(work));
    Properties properties = properties("scenario", "my.yaml", "endpoints", "a:1");
    properties.setProperty("quorate.directory", home.toString());
    assertThatThrownBy(() -> RunSettings.of(properties).readScenario())
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            "faults: found endpoints, and %s, which affects all users and all data of the existing cluster: leave it out, or permit it with --maintain"
                .formatted(work.replaceFirst(" .*", "")));

    Path commands = Files.writeString(home.resolve("commands"), work.split(" ")[0] + ": true\n");
    properties.setProperty("fault.commands", commands.toString());
    assertThat(RunSettings.of(properties).readScenario().faults()).isPresent();
    properties.remove("fault.commands");
    properties.setProperty("maintain", "");
    assertThat(RunSettings.of(properties).readScenario().faults()).isPresent();
    properties.remove("endpoints");
    properties.remove("maintain");
    assertThat(RunSettings.of(properties).readScenario().faults()).isPresent();
  }

  @Test
  void a_load_generator_reads_the_same_settings_from_the_plan(@TempDir Path home) throws Exception {
    Files.writeString(home.resolve("my.yaml"), "title: Mine\n");
    Properties properties =
        properties(
            "scenario",
            "my.yaml",
            "scale",
            "0.5",
            "database",
            "etcd,consul",
            "endpoints",
            "a:1",
            "run.name",
            "mine",
            "keep.keys",
            "true",
            "agents",
            "b:2",
            "agent.keys",
            "keys/client",
            "consul.client",
            "library",
            "credentials",
            "secret.txt",
            "capacity.thresholds",
            "p99 <= 20 ms,errors = 0",
            "shard",
            "3/8",
            "results",
            "r");
    properties.setProperty("quorate.directory", home.toString());
    RunSettings settings = RunSettings.of(properties).planned();
    Path run = Files.createDirectories(home.resolve("r/my/1"));

    Properties ofLoadGenerator = new Properties();
    Path plan = settings.plan().orElseThrow().write(new RunDirectory(run));
    ofLoadGenerator.setProperty("quorate.plan", plan.toString());
    ofLoadGenerator.setProperty("database", "consul");
    RunSettings read = RunSettings.of(ofLoadGenerator);

    assertThat(read)
        .usingRecursiveComparison()
        .ignoringFields("databases", "run", "source.databases", "source.options")
        .isEqualTo(settings);
    assertThat(read.databases()).containsExactly(ConsulStore.STORE);
    assertThat(read.run()).hasValue(run);
    assertThat(read.servers().agentKeys()).contains(home.resolve("keys/client"));
    assertThat(read.clients())
        .containsExactly(Map.entry(ConsulStore.STORE, ConsulStore.STORE.client("library")));
  }

  @Test
  void a_matrix_goes_on_if_that_is_asked_for() {
    assertThat(RunSettings.of(properties("scenario", "quick")).continued()).isEmpty();
    RunSettings again = RunSettings.of(properties("resume", "results/a", "retry", "failed"));
    assertThat(again.continued()).hasValue(Path.of("/home/me/results/a"));
    assertThat(again.retryFailed()).isTrue();
    assertThat(RunSettings.of(properties("continue", "/a")).retryFailed()).isFalse();
  }

  @Test
  void what_does_not_go_with_a_matrix_that_goes_on_is_refused() {
    assertThatThrownBy(() -> RunSettings.of(properties("retry", "failed")))
        .hasMessage("retry: needs --resume with the directory of a matrix");
    assertThatThrownBy(() -> RunSettings.of(properties("resume", "", "retry", "all")))
        .hasMessage(
            """
            resume: found nothing, expected a value; leave the option out
            retry: found 'all', expected 'failed'\
            """);
    assertThatThrownBy(
            () -> RunSettings.of(properties("resume", "a", "scale", "0.1", "database", "etcd")))
        .hasMessage("resume: remove scale, database. A resumed matrix uses its recorded options");
  }
}
