package io.quorate.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.capacity.SearchPlan;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.ScenarioReader;
import io.quorate.scenario.Step;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class CapacityOptionsTest {
  private static final String WRITES =
      """
      title: Writes
      operation: put
      requests: 1_000_000
      keys: {size: 16}
      values: {size: 8}
      load: {steps: [1, 10, 100]}
      databases: [memory]
      """;

  private static CapacityOptions read(String... namesAndValues) {
    Properties properties = new Properties();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      properties.setProperty(namesAndValues[i], namesAndValues[i + 1]);
    }
    OptionValues options = new OptionValues(properties);
    CapacityOptions read = CapacityOptions.read(options, Path.of("/home/me"));
    options.throwIfWrong();
    return read;
  }

  private static Scenario scenario(String text) {
    return ScenarioReader.read("writes.yaml", text, 1);
  }

  @Test
  void noOptionAsksForNoSearch() {
    assertThat(read().isWanted()).isFalse();
    assertThat(read("capacity.search", "quick").isWanted()).isTrue();
  }

  @Test
  void optionsReachTheLoadGeneratorAsTheyWereGiven() {
    CapacityOptions options =
        read(
            "capacity.limits", "p99 <= 20 ms,errors = 0",
            "capacity.search", "quick",
            "capacity.continue", "results/x");
    List<String> arguments = new ArrayList<>();
    options.addTo(arguments);

    assertThat(options.plan()).isEqualTo(SearchPlan.QUICK);
    assertThat(arguments)
        .containsExactly(
            "-Dcapacity.limits=p99 <= 20 ms, errors = 0",
            "-Dcapacity.search=quick",
            "-Dcapacity.continue=/home/me/results/x");
  }

  @Test
  void everyLimitThatIsWrongIsTold() {
    assertThatThrownBy(
            () ->
                read(
                    "capacity.limits", "p99 < 20 parsecs, throughput > 5/s",
                    "capacity.search", "slow"))
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            """
            limit: found 'p99 < 20 parsecs', expected a limit such as p99 <= 20 ms, or errors = 0
            limit: found 'throughput > 5/s', expected a percentile such as p99 <= 20 ms, or max or errors, to search within
            capacity.search: found 'slow', expected full or quick\
            """);
  }

  @Test
  void theProbeIsShortWhereTheFirstRateNeedNotBeExactOrIsKnown() {
    assertThat(read("capacity.search", "full").probe()).isEqualTo(Duration.ofSeconds(10));
    assertThat(read("capacity.search", "quick").probe()).isEqualTo(Duration.ofSeconds(3));
    assertThat(read("capacity.continue", "results/x").probe()).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void theLimitsOfTheScenarioHoldWhereNoneAreGiven() {
    CapacityOptions options = read("capacity.search", "full");

    assertThat(options.limits(scenario(WRITES + "limits: [p99 < 1 s]\n")))
        .extracting(limit -> limit.limit().toString())
        .containsExactly("p99 < 1 s");
    assertThatThrownBy(() -> options.limits(scenario(WRITES)))
        .hasMessageStartingWith("scenario writes: found no limits, expected limits to search");
    assertThatThrownBy(() -> options.limits(scenario(WRITES + "limits: [throughput > 5/s]\n")))
        .hasMessageContaining("limits that no load can be judged by: throughput > 5/s");
  }

  @Test
  void theProbeHasTheMostClientsOfTheScenarioAndAConstantKeySpace() {
    Scenario probe = scenario(WRITES + "limits: [p99 < 1 s]\n").asProbe(Duration.ofSeconds(10));
    Step step = probe.databases().get(0).steps().get(0);

    assertThat(probe.databases().get(0).steps()).hasSize(1);
    assertThat(step.load()).isEqualTo("100 clients");
    assertThat(step.connections()).isEqualTo(100);
    assertThat(step.endsByTime()).isTrue();
    assertThat(probe.keys().prepared()).isTrue();
    assertThat(probe.keys().count()).isEqualTo(100_000);
    assertThat(probe.limits()).isEmpty();
  }

  @Test
  void deletesHaveNoCapacity() {
    assertThatThrownBy(
            () ->
                scenario(WRITES.replace("operation: put", "operation: delete"))
                    .asProbe(Duration.ofSeconds(10)))
        .hasMessage(
            "scenario writes: found the operation 'delete', of which no capacity can be searched:"
                + " leave it out");
  }
}
