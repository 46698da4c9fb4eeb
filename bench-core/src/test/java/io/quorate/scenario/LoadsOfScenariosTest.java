// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.quorate.scenario.yaml.EditorSchema;
import io.quorate.scenario.yaml.InvalidScenarioException;
import io.quorate.scenario.yaml.ScenarioReader;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.memory.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The steps that loads, requests and durations make. */
class LoadsOfScenariosTest {
  private static final String SCENARIO =
      """
      title: Some requests
      operation: put
      %s
      keys: {size: 256, count: 1_000}
      values: {size: 64}
      load: {%s}
      databases: [memory]
      """;

  private static final LoadModel.Arrivals CONSTANT = LoadModel.Arrivals.CONSTANT;

  @Test
  void clients_may_have_a_limit_together() {
    assertThat(steps("requests: 1_000", "clients: 10, connections: 5, max-rate: 1_000/s", 1))
        .containsExactly(
            new Step(new LoadModel.Closed(10, OptionalLong.of(1_000)), 5, 1_000, Optional.empty()));
    assertThat(steps("requests: 1_000", "steps: [1, 10], max-rate: 50/s", 1))
        .containsExactly(
            new Step(new LoadModel.Closed(1, OptionalLong.of(50)), 1, 500, Optional.empty()),
            new Step(new LoadModel.Closed(10, OptionalLong.of(50)), 10, 500, Optional.empty()));
  }

  @Test
  void connections_wait_for_a_failed_member_or_move_to_another_one() {
    String text = SCENARIO.formatted("requests: 1_000", "clients: 10").replace("memory", "etcd");
    assertThat(read(text).requests().onFailure()).isEqualTo(ConnectionBinding.PINNED);
    assertThat(read(text + "on-failure: failover\n").requests().onFailure())
        .isEqualTo(ConnectionBinding.FAILOVER);
    assertThatThrownBy(() -> read(text + "routing: leader\non-failure: failover\n"))
        .hasMessage(
            "my.yaml:9:13: found 'failover' with routing: leader, expected another routing, so that"
                + " there is another member");
    assertThatThrownBy(
            () ->
                read(
                    text.replace("clients: 10", "clients: 10, connections: per-request")
                        + "on-failure: failover\n"))
        .hasMessage(
            "my.yaml:8:13: found 'failover' with connections: per-request, expected connections"
                + " that carry several requests");
  }

  @Test
  void a_database_may_have_another_client() {
    String text =
        SCENARIO
            .formatted("requests: 1_000", "clients: 10")
            .replace("[memory]", "{etcd: {client: jetcd}, zookeeper: }");
    assertThat(read(text).databases())
        .extracting(load -> load.client().id())
        .containsExactly("jetcd", "tcp");
    assertThatThrownBy(() -> read(text.replace("zookeeper: ", "zookeeper: {client: jetcd}")))
        .hasMessage(
            "my.yaml:7:56: found the client 'jetcd' of zookeeper, expected one of tcp, zookeeper,"
                + " curator");
  }

  @Test
  void a_client_that_cannot_carry_out_the_operation_is_refused() {
    String text =
        """
        title: Sessions
        operation: register
        requests: 100
        keys: {size: 16}
        load: {clients: 10}
        databases: {etcd: {client: jetcd}}
        """;
    assertThatThrownBy(() -> read(text))
        .hasMessage(
            "my.yaml:6:28: found the client 'jetcd' of etcd with register, expected no 'client',"
                + " as this one cannot do that");
    assertThat(read(text.replace("register", "lock")).databases()).hasSize(1);
  }

  private static Scenario read(String text) {
    return ScenarioReader.read("my.yaml", text, 1);
  }

  @Test
  void clients_may_open_a_connection_for_each_request() {
    LoadModel ten = new LoadModel.Closed(10, OptionalLong.empty(), true, Optional.empty());
    LoadModel one = new LoadModel.Closed(1, OptionalLong.empty(), true, Optional.empty());
    assertThat(steps("requests: 1_000", "clients: 10, connections: per-request", 1))
        .containsExactly(new Step(ten, 10, 1_000, Optional.empty()));
    assertThat(steps("requests: 1_000", "steps: [1, 10], connections: per-request", 1))
        .containsExactly(
            new Step(one, 1, 500, Optional.empty()), new Step(ten, 10, 500, Optional.empty()))
        .extracting(Step::load)
        .containsExactly(
            "1 client, a connection for each request", "10 clients, a connection for each request");
  }

  @Test
  void watchers_of_the_past_are_there_while_others_read() {
    String text =
        """
        title: Loads
        operation: get
        duration: 10s
        keys: {size: 8, count: 1}
        values: {size: 64}
        watch: {watchers: 100, streams: 5, history: 8}
        load: {clients: 2}
        databases: [etcd]
        """;
    assertThat(ScenarioReader.read("loads.yaml", text, 1).databases().get(0).steps())
        .extracting(Step::watch, Step::load)
        .containsExactly(
            tuple(
                Optional.of(new WatchLoad(100, 5, 8)),
                "2 clients, 100 watchers on 5 streams of the 8 puts before"));
  }

  @Test
  void watchers_may_request_progress_and_be_restarted() {
    String text =
        """
        title: Loads
        mix: {put: 1, get: 1}
        duration: 10s
        keys: {size: 8, count: 10}
        values: {size: 64}
        watch: {watchers: 60, streams: 60, prev-kv: true, progress-notify: true, progress: 100ms, restart: 450s}
        load: {rate: 100/s}
        databases: [etcd]
        """;
    assertThat(ScenarioReader.read("loads.yaml", text, 1).databases().get(0).steps())
        .extracting(Step::watch, Step::load)
        .containsExactly(
            tuple(
                Optional.of(new WatchLoad(60, 60, 0, true, true, 100, 450_000, 0)),
                "100/s, 60 watchers on 60 streams with previous values, progress every 100 ms,"
                    + " restarted every 450 s"));
  }

  @Test
  void each_number_of_watchers_is_a_step() {
    String text =
        """
        title: Loads
        operation: put
        requests: 1_000
        keys: {size: 256, count: 1}
        values: {size: 64}
        watch: {watchers: [1, 100], streams: 5}
        load: {clients: 2}
        databases: [memory]
        """;
    LoadModel two = new LoadModel.Closed(2, OptionalLong.empty());
    assertThat(ScenarioReader.read("loads.yaml", text, 1).databases().get(0).steps())
        .containsExactly(
            new Step(two, 2, 500, Optional.empty(), Optional.of(new WatchLoad(1, 1, 0))),
            new Step(two, 2, 500, Optional.empty(), Optional.of(new WatchLoad(100, 5, 0))));
    assertThat(
            ScenarioReader.read("loads.yaml", text, 0.001).databases().get(0).steps().stream()
                .mapToLong(Step::requests)
                .boxed())
        .containsExactly(2L, 2L);

    String rate =
        text.replace("requests: 1_000", "duration: 2s")
            .replace("clients: 2", "rate: 100/s")
            .replace("[1, 100]", "7");
    Step step = ScenarioReader.read("loads.yaml", rate, 1).databases().get(0).steps().get(0);
    assertThat(step.requests()).isEqualTo(200);
    assertThat(step.load()).isEqualTo("100/s, 7 watchers on 5 streams");
  }

  @Test
  void a_rate_has_defaults() {
    assertThat(steps("requests: 1_000", "rate: 1000/s", 1))
        .containsExactly(
            new Step(new LoadModel.Open(1_000, CONSTANT, 10_000), 100, 1_000, Optional.empty()));
  }

  @Test
  void everything_about_a_rate_can_be_said() {
    assertThat(
            steps(
                "requests: 1_000",
                "rate: 1_000_000/s, arrivals: poisson, connections: 7, max-in-flight: 1_000_000",
                1))
        .containsExactly(
            new Step(
                new LoadModel.Open(1_000_000, LoadModel.Arrivals.POISSON, 1_000_000),
                7,
                1_000,
                Optional.empty()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "600       | 1000/s, 2000/s, 3000/s | 100, 200, 300",
        "1_000     | 1/s, 1/s, 1/s          | 333, 333, 334",
        "1_000_000 | 1/s, 999_999/s         | 1, 999999",
        "3         | 5/s, 5/s, 5/s          | 1, 1, 1",
        "1_000     | 10/s, 20/s, 10/s       | 250, 500, 250",
      })
  void rates_share_the_requests_so_that_each_lasts_equally_long(
      String requests, String rates, String shares) {
    assertThat(steps("requests: " + requests, "rates: [" + rates + "]", 1))
        .extracting(Step::requests)
        .map(String::valueOf)
        .containsExactly(shares.split(", "));
  }

  @Test
  void every_rate_lasts_for_the_duration() {
    assertThat(steps("duration: 30s", "rates: [1000/s, 5/s], connections: 2", 1))
        .containsExactly(
            new Step(
                new LoadModel.Open(1_000, CONSTANT, 10_000),
                2,
                30_000,
                Optional.of(Duration.ofSeconds(30))),
            new Step(
                new LoadModel.Open(5, CONSTANT, 10_000),
                2,
                150,
                Optional.of(Duration.ofSeconds(30))));
  }

  @Test
  void clients_send_for_the_duration_as_many_as_they_can() {
    assertThat(steps("duration: 2m", "steps: [1, 100]", 1))
        .containsExactly(
            new Step(
                new LoadModel.Closed(1, OptionalLong.empty()),
                1,
                1_000_000_000,
                Optional.of(Duration.ofMinutes(2))),
            new Step(
                new LoadModel.Closed(100, OptionalLong.empty()),
                100,
                1_000_000_000,
                Optional.of(Duration.ofMinutes(2))))
        .allMatch(Step::endsByTime);
  }

  @Test
  void clients_with_a_limit_send_no_more_than_it_allows_in_the_duration() {
    assertThat(steps("duration: 30s", "clients: 10, max-rate: 200/s", 1))
        .containsExactly(
            new Step(
                new LoadModel.Closed(10, OptionalLong.of(200)),
                10,
                6_000,
                Optional.of(Duration.ofSeconds(30))));
    assertThat(steps("duration: 24h", "clients: 10, max-rate: 1_000_000/s", 1))
        .extracting(Step::requests)
        .containsExactly(1_000_000_000L);
  }

  @Test
  void what_clients_write_for_a_duration_is_there_beforehand() {
    Scenario scenario = scenario("duration: 30s", "clients: 10", 1);

    assertThat(scenario.requests().keys().prepared()).isTrue();
    assertThat(scenario.requests().warmUp()).isEqualTo(20_000);
  }

  @Test
  void a_rate_for_a_duration_tells_how_many_requests_there_are() {
    String yaml = SCENARIO.formatted("duration: 1h", "rate: 100/s").replace(", count: 1_000", "");
    Scenario scenario = ScenarioReader.read("some.yaml", yaml, 1);

    assertThat(scenario.requests().measured()).isEqualTo(360_000);
    assertThat(scenario.requests().keys())
        .isEqualTo(
            new KeySpace(256, KeySpace.Order.SEQUENTIAL, 360_000, false, KeySpace.USUAL_HOT_SET));
    assertThat(scenario.requests().warmUp()).isEqualTo(20_000);
  }

  @Test
  void the_requests_are_those_of_the_database_that_gets_most() {
    String yaml =
        SCENARIO
            .formatted("duration: 10s", "rate: 100/s")
            .replace(", count: 1_000", "")
            .replace("[memory]", "{etcd: {rate: 2_000/s}, memory: }");
    Scenario scenario = ScenarioReader.read("some.yaml", yaml, 1);

    assertThat(scenario.requests().measured()).isEqualTo(20_000);
    assertThat(scenario.requests().keys().count()).isEqualTo(20_000);
    assertThat(scenario.requireLoad(EtcdStore.STORE).requests()).isEqualTo(20_000);
    assertThat(scenario.requireLoad(MemoryStore.STORE).requests()).isEqualTo(1_000);
  }

  @ParameterizedTest
  @CsvSource({
    "1s, 1000",
    "1000ms, 1000",
    "1500ms, 1500",
    "90s, 90000",
    "1440m, 86400000",
    "24h, 86400000",
    "86400s, 86400000"
  })
  void a_duration_has_a_unit(String duration, long millis) {
    assertThat(steps("duration: " + duration, "clients: 10", 1))
        .extracting(step -> step.duration().orElseThrow().toMillis())
        .containsExactly(millis);
  }

  @Test
  void scale_shortens_a_duration_and_leaves_a_rate() {
    assertThat(steps("duration: 5m", "rate: 1000/s", 0.01))
        .containsExactly(
            new Step(
                new LoadModel.Open(1_000, CONSTANT, 10_000),
                100,
                3_000,
                Optional.of(Duration.ofSeconds(3))));
    assertThat(scenario("duration: 5m", "clients: 10", 0.5).requests().warmUp()).isEqualTo(10_000);
  }

  @Test
  void scale_leaves_a_second() {
    assertThat(steps("duration: 30s", "rates: [1/s, 7/s]", 0.01))
        .extracting(Step::duration, Step::requests)
        .containsExactly(
            tuple(Optional.of(Duration.ofSeconds(1)), 1L),
            tuple(Optional.of(Duration.ofSeconds(1)), 7L));
  }

  @Test
  void scale_leaves_every_rate_a_request() {
    assertThat(steps("requests: 10_000", "rates: [10/s, 1000/s]", 0.0001))
        .extracting(Step::requests)
        .containsExactly(1L, 100L);
  }

  @Test
  void the_headline_says_what_was_scaled() {
    assertThat(scenario("duration: 30s", "clients: 10", 0.5).headline())
        .isEqualTo("Some requests (scaled to 50% of its duration)");
    assertThat(scenario("requests: 1_000", "clients: 10", 0.5).headline())
        .isEqualTo("Some requests (scaled to 50% of its requests)");
  }

  @Test
  void a_second_at_the_slowest_rate_is_one_request() {
    assertThat(steps("duration: 1s", "rate: 1/s", 1))
        .extracting(Step::requests)
        .containsExactly(1L);
  }

  private static List<Step> steps(String length, String load, double scale) {
    return scenario(length, load, scale).databases().get(0).steps();
  }

  private static Scenario scenario(String length, String load, double scale) {
    String yaml = SCENARIO.formatted(length, load);
    assertThat(EditorSchema.accepts(yaml)).as(yaml).isTrue();
    return ScenarioReader.read("some.yaml", yaml, scale);
  }

  @Test
  void watched_steps_that_have_no_request_are_refused() {
    String yaml =
        """
        title: Some writes
        operation: put
        requests: 1
        keys: {size: 8}
        values: {size: 64}
        load: {steps: [1, 10]}
        watch: {watchers: 5}
        databases: [etcd]
        """;

    assertThatThrownBy(() -> ScenarioReader.read("my.yaml", yaml, 1))
        .isInstanceOf(InvalidScenarioException.class)
        .hasMessageContaining("2 steps, expected no more steps than the 1 requests");
  }
}
