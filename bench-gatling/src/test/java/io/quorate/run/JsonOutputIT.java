// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import io.quorate.MemoryBackedDirectory;
import io.quorate.cluster.TestServers;
import io.quorate.report.ReportCommand;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What commands print for programs is one document on standard output, as its schema says. */
class JsonOutputIT {
  private static final String SCENARIO =
      """
      title: A short load
      operation: put
      duration: 3s
      cold-start: true
      keys: {size: 16, count: 100}
      values: {size: 32}
      load: {rate: 100/s, connections: 2}
      thresholds: [errors = 0]
      databases: [memory]
      """;

  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  @Test
  void every_command_prints_one_document() throws Exception {
    String results = directory.resolve("results").toString();
    InProcessRun run = run("run", "--json");
    assertThat(run.exitCode()).as(run.output()).isZero();
    assertValid("result-3", "", run.standardOutput());
    assertThat(run.output()).contains("errors = 0").contains("page ");

    Path made = run.onlyRun("short");
    Path again = directory.resolve("again");
    InProcessRun second =
        InProcessRun.run(directory, "run", "short.yaml", "--results", again.toString());
    assertThat(second.exitCode()).as(second.output()).isZero();
    String one = made.toString();
    assertThat(JSON.readTree(run.standardOutput()))
        .isEqualTo(JSON.readTree(made.resolve("result.json").toFile()));
    assertDocument("list", "list", "--json", "--results", results);
    assertDocument("scenarios", "scenarios", "--json");
    assertDocument("databases", "databases", "--json");
    assertDocument("doctor", "doctor", one, "--json");
    assertDocument(
        "comparison", "compare", one, again.toString(), "--json", "--output", one + "-compared");
    InProcessRun check = run("check", "--json");
    assertValid("output-1", "/$defs/check", check.standardOutput());
    assertThat(check.standardOutput()).contains("\"name\" : \"time\"", "\"canRun\" : true");
  }

  @Test
  void a_run_prints_a_line_for_each_second() throws Exception {
    InProcessRun run = run("run", "--ndjson");

    assertThat(run.exitCode()).as(run.output()).isZero();
    List<String> lines = run.standardOutput().lines().toList();
    long succeeded = 0;
    for (String each : lines) {
      assertValid("output-1", "/$defs/second", each);
      succeeded += JSON.readTree(each).path("succeeded").asLong();
    }
    assertThat(lines).hasSizeGreaterThanOrEqualTo(3);
    assertThat(succeeded).isEqualTo(300);
  }

  @Test
  void each_line_of_repeats_names_its_run() throws Exception {
    Files.writeString(directory.resolve("short.yaml"), SCENARIO);
    InProcessRun run =
        InProcessRun.run(
            directory,
            "run",
            "short.yaml",
            "--results",
            "results",
            "--duration=1s",
            "--repeats=2",
            "--canary=off",
            "--ndjson");

    Map<String, Long> succeeded = new TreeMap<>();
    for (String each : run.standardOutput().lines().toList()) {
      assertValid("output-1", "/$defs/second", each);
      JsonNode line = JSON.readTree(each);
      succeeded.merge(
          line.path("cell").asText() + " " + line.path("repeat").asInt(),
          line.path("succeeded").asLong(),
          Long::sum);
    }
    assertThat(succeeded)
        .containsExactly(Map.entry("001-memory 1", 100L), Map.entry("001-memory 2", 100L));
  }

  @Test
  void a_page_is_served_while_the_run_goes_on_and_nothing_else() throws Exception {
    String address = "127.0.0.1:" + TestServers.freePort("127.0.0.1");
    String longer = SCENARIO.replace("duration: 3s", "duration: 10m");
    Files.writeString(directory.resolve("long.yaml"), longer);
    try (InProcessRun run =
        InProcessRun.start(
            directory,
            "run",
            "long.yaml",
            "--results",
            "results",
            "--watch",
            address,
            "--metrics",
            address)) {
      run.awaitOutput("page    http://" + address, Duration.ofMinutes(2));
      run.awaitLoad("long", "memory");
      String page = page(address, "/", 200);
      assertThat(page).contains("http-equiv=\"refresh\"", "A short load");
      QuorateProcess.await(
          () -> page(address, "/", 200).contains("running"),
          Duration.ofMinutes(2),
          () -> "no running page");
      assertThat(page(address, "/metrics", 200)).contains("quorate_requests_total{");
      page(address, "/../plan.json", 404);
      page(address, "/memory/manifest.json", 404);
      run.endEarly();
      assertThat(run.waitFor(Duration.ofMinutes(5))).as(run.output()).isEqualTo(130);
    }
  }

  private static String page(String address, String path, int status) {
    try {
      HttpResponse<String> answer =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(URI.create("http://" + address + path)).build(),
                  HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(path).isEqualTo(status);
      return answer.body();
    } catch (IOException | InterruptedException failure) {
      throw new AssertionError(failure);
    }
  }

  private InProcessRun run(String command, String option) throws IOException {
    Files.writeString(directory.resolve("short.yaml"), SCENARIO);
    return InProcessRun.run(directory, command, "short.yaml", "--results", "results", option);
  }

  private void assertDocument(String name, String... command) throws IOException {
    InProcessRun run = InProcessRun.run(directory, command);
    assertThat(run.exitCode()).as(run.output()).isIn(0, 3, 4);
    assertValid("output-1", "/$defs/" + name, run.standardOutput());
  }

  private static void assertValid(String schema, String place, String text) throws IOException {
    try (InputStream in =
        ReportCommand.class.getResourceAsStream("/io/quorate/report/" + schema + ".schema.json")) {
      JsonNode root = JSON.readTree(Objects.requireNonNull(in));
      JsonNode used = place.isEmpty() ? root : root.at(place);
      assertThat(
              JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                  .getSchema(used)
                  .validate(JSON.readTree(text)))
          .as(text)
          .isEmpty();
    }
  }
}
