// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quorate.Nightly;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.results.DatabaseRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that the report of a run says of its machines what they did in its steps, and nothing else.
 */
@EnabledOnOs(OS.LINUX)
class MachineSumsIT {
  private static final String SCENARIO =
      """
      title: Short writes
      operation: write
      requests: %s
      warm-up: 100
      cold-start: true
      keys: {size: 16}
      values: {size: 1024}
      load: {%s}
      databases: [%s]
      """;

  /** Costs have six digits. */
  private static final double ROUNDING = 1e-5;

  private static final Pattern NUMBER =
      Pattern.compile("\"((?:server|client)[A-Za-z]+)\" ?: ?([0-9.]+)");

  @TempDir private Path directory;

  @Nightly // the smaller one has steps of some milliseconds
  @Test
  void a_run_of_about_a_second_is_counted_whole() throws Exception {
    ObservedRun.Outcome outcome = run("zookeeper", 4_000, "clients: 20");

    assertIsWhatWasCounted(outcome);
    assertCostsAreWhatWasCounted(outcome, 4_000);
  }

  @Test
  @RequiresDatabase("etcd")
  void steps_of_some_milliseconds_are_counted_and_the_pauses_between_them_are_not()
      throws Exception {
    ObservedRun.Outcome outcome = run("etcd", 60, "steps: [1, 10, 20]");

    assertIsWhatWasCounted(outcome);
    assertCostsAreWhatWasCounted(outcome, 60);
    for (String machine : List.of("1-server", "2-server", "3-server", "client")) {
      Path steps = outcome.run().resolve("etcd/" + machine + "-system-metrics-steps.csv");
      assertThat(Files.readAllLines(steps))
          .extracting(row -> String.join(" ", List.of(row.split(",")).subList(0, 2)))
          .containsExactly(
              "STEP BOUNDARY", "1 begin", "1 end", "2 begin", "2 end", "3 begin", "3 end");
    }
  }

  private ObservedRun.Outcome run(String store, int requests, String load) throws Exception {
    ObservedRun.Outcome outcome =
        ObservedRun.of(SCENARIO.formatted(requests, load, store), directory.resolve("results"));
    DatabaseRun result = DatabaseRun.read(outcome.run().resolve(store));
    assertThat(result.clients().orElseThrow().successCount()).isEqualTo(requests);
    return outcome;
  }

  private static void assertIsWhatWasCounted(ObservedRun.Outcome outcome) throws IOException {
    Map<String, Double> machines = new TreeMap<>();
    Matcher numbers = NUMBER.matcher(Files.readString(outcome.run().resolve("result.json")));
    while (numbers.find()) {
      machines.put(numbers.group(1), Double.parseDouble(numbers.group(2)));
    }
    ProcCounters least = outcome.least();
    ProcCounters most = outcome.most();
    assertThat(machines.get("serverCpuSeconds"))
        .isBetween(least.cpuTicks() / 100.0 - 1e-9, most.cpuTicks() / 100.0 + 1e-9);
    // the members share one interface
    assertThat(machines.get("serverReceivedBytes"))
        .isBetween((double) least.receivedBytes(), (double) most.receivedBytes());
    assertThat(machines.get("serverSentBytes"))
        .isBetween((double) least.sentBytes(), (double) most.sentBytes());
    assertThat(machines.get("clientReceivedBytes"))
        .isBetween((double) least.receivedBytes(), (double) most.receivedBytes());
    for (String machine : List.of("server", "client")) {
      // none of either if the load took less than a tenth of a second
      assertThat(machines.getOrDefault(machine + "MaxCpuPercent", 0.0))
          .isGreaterThanOrEqualTo(machines.getOrDefault(machine + "MeanCpuPercent", 0.0));
    }
    assertThat(sumOfSeconds(outcome, "RECEIVE-BYTES-NUM-DELTA-1"))
        .isEqualTo(machines.get("serverReceivedBytes"));
  }

  /** Costs are counted by requests, each with a value of 1,024 bytes. */
  private static void assertCostsAreWhatWasCounted(ObservedRun.Outcome outcome, int requests)
      throws IOException {
    JsonNode costs =
        new ObjectMapper()
            .readTree(outcome.run().resolve("result.json").toFile())
            .at("/databases/0/costs");
    double sector = 512;
    assertThat(costs.path("serverCpuMicrosPerRequest").asDouble() * requests)
        .isBetween(
            outcome.least().cpuTicks() * 10_000 * (1 - ROUNDING),
            outcome.most().cpuTicks() * 10_000 * (1 + ROUNDING));
    assertThat(costs.path("diskBytesPerValueByte").asDouble() * requests * 1024)
        .isBetween(
            outcome.least().writtenBytes() * (1 - ROUNDING) - sector,
            outcome.most().writtenBytes() * (1 + ROUNDING));
  }

  /** Over some servers, in the file that sets them next to the requests. */
  private static double sumOfSeconds(ObservedRun.Outcome outcome, String column)
      throws IOException {
    Path file;
    try (Stream<Path> all = Files.walk(outcome.run())) {
      file =
          all.filter(each -> each.toString().endsWith("-all-aggregated.csv"))
              .findAny()
              .orElseThrow();
    }
    List<String[]> rows =
        Files.readAllLines(file).stream().map(line -> line.split(",", -1)).toList();
    String[] header = rows.get(0);
    return IntStream.range(0, header.length)
        .filter(i -> header[i].startsWith(column))
        .mapToDouble(
            i ->
                rows.stream()
                    .skip(1)
                    .map(row -> row[i])
                    .filter(cell -> !cell.isEmpty())
                    .mapToDouble(Double::parseDouble)
                    .sum())
        .sum();
  }
}
