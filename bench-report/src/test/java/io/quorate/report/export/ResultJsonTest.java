// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.export;

import static io.quorate.report.MachineRows.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import io.quorate.format.StrictJson;
import io.quorate.report.GoldenRun;
import io.quorate.report.MachineRows;
import io.quorate.report.PublishedTable;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.DatabaseRun;
import io.quorate.results.ImportedRun;
import io.quorate.results.RunEvent;
import io.quorate.results.ZoneTraffic;
import io.quorate.results.capacity.Searches;
import io.quorate.results.latency.LatencyLog;
import io.quorate.results.latency.LatencyTag;
import io.quorate.results.manifest.Manifests;
import io.quorate.results.manifest.RunZones;
import io.quorate.results.manifest.Verifications;
import io.quorate.results.requests.Golden;
import io.quorate.results.requests.OneShotSteps;
import io.quorate.results.requests.OperationSteps;
import io.quorate.results.requests.StmSteps;
import io.quorate.results.requests.WatchedSteps;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResultJsonTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final JsonNode SCHEMA = json(PublishedTable.resource("result-3.schema.json"));

  @TempDir Path results;

  @Test
  void rawNumbersHaveTheirUnitsInTheirNames() {
    GoldenRun run = golden();
    JsonNode zookeeper = json(run.read("result.json")).at("/databases/1");
    assertThat(zookeeper.at("/figures").toString())
        .isEqualTo(
            """
            {"totalSeconds":19.5536,"requestsAsked":5000,"requestsSucceeded":4978,\
            "requestsFailed":22,"requestsPerSecondAverage":254.5826,"requestsPerSecondMax":340,\
            "requestsPerSecondMin":0,"latencyMs":{"fastest":4.2097,"average":27.4251,\
            "slowest":3834.7257,"standardDeviation":142.5657,"p10":11.173887,"p25":14.614527,\
            "p50":19.972095,"p75":26.836991,"p90":36.077567,"p95":42.172415,"p99":58.785791,\
            "p99.9":3808.428031}}\
            """);
  }

  @Test
  void whatIsWrittenIsWhatTheSchemaSays() {
    GoldenRun run = golden();
    assertThat(problems(run)).isEmpty();
    run.replace("result.json", "\"totalSeconds\" : 19.5536", "\"totalSeconds\" : \"19.5536\"");
    assertThat(problems(run)).hasSize(1);
  }

  /** A field that is written and not described is refused, as no others are allowed. */
  @Test
  void everyFieldOfTheSchemaIsWritten() throws IOException {
    GoldenRun run = everything();
    assertThat(problems(run)).isEmpty();
    Set<String> written = new TreeSet<>();
    names(json(run.read("result.json")), written);
    Set<String> described = new TreeSet<>();
    properties(SCHEMA, described);
    assertThat(written).isEqualTo(described);
  }

  @Test
  void theFileHasThisForm() throws IOException {
    assertThat(everything().read("result.json"))
        .isEqualTo(PublishedTable.resource("result-3.json"));
  }

  private static void addQueueTimes(DatabaseDirectory directory) throws IOException {
    Path added = directory.path().resolve("added.hlog");
    Histogram waits = new Histogram(3);
    waits.recordValue(3_000_000);
    try (LatencyLog log = LatencyLog.create(added, Manifests.START)) {
      log.append(LatencyTag.of(2, LatencyTag.Time.QUEUE), waits);
    }
    List<String> rows =
        Files.readAllLines(added).stream().filter(line -> line.startsWith("Tag=")).toList();
    Files.write(directory.latencyLog(), rows, StandardOpenOption.APPEND);
    Files.delete(added);
  }

  /** Adds what was sent between the zones of the members, and within one of them. */
  private static void addZoneTraffic(DatabaseDirectory directory) {
    new RunZones("own", List.of("a", "b"), Optional.empty(), List.of()).write(directory);
    ZoneTraffic.FILE.append(
        directory,
        List.of(new ZoneTraffic(1, "a to b", 12_000_000), new ZoneTraffic(1, "within a", 5)));
  }

  /** Adds when the step began, and what two members sent in some of its seconds. */
  private static void addMemberTraffic(DatabaseDirectory directory) throws IOException {
    long first =
        DatabaseRun.read(directory.path()).clients().orElseThrow().requests().get(0).unixSecond();
    String log = Files.readString(directory.latencyLog());
    String start =
        String.format(
            Locale.ROOT, "$1%.3f,10.000,", first + 0.2 - Manifests.START.getEpochSecond());
    Files.writeString(directory.latencyLog(), log.replaceFirst("(Tag=[^,]*,)[^,]*,[^,]*,", start));
    StringBuilder rows = new StringBuilder("UNIX-SECOND,MEMBER,METRIC,VALUE\n");
    for (int second = 0; second < 10; second++) {
      for (int member = 1; member <= 2; member++) {
        rows.append(
            "%d,%d,etcd_network_peer_sent_bytes_total,%d\n"
                .formatted(first + second, member, 1_000_000 * second));
      }
    }
    Files.writeString(directory.path().resolve("server-internals.csv"), rows);
  }

  /** Returns a run in whose result each field is. */
  private GoldenRun everything() throws IOException {
    GoldenRun run = golden();
    Manifests.of("memory", "memory", 1, 5000)
        .withVerification(Verifications.LOST)
        .failed(Manifests.START, "no leader")
        .write(run.directory().createDatabase("memory"));
    addQueueTimes(OperationSteps.write(run.directory(), "cetcd"));
    run.replace(
        "cetcd/manifest.json",
        "\"limitPerSecond\" : 500",
        "\"limitPerSecond\" : 500, \"think\" : \"PT0.2S\"");
    run.replace(
        "cetcd/manifest.json",
        "\"maxOutstanding\" : 3",
        "\"maxOutstanding\" : 3, \"ramp\" : {\"from\" : 6, \"to\" : 10, \"stairs\" : 2,"
            + " \"spikes\" : 2, \"spikePercent\" : 10, \"over\" : \"PT1S\"}");
    WatchedSteps.write(run.directory(), "zetcd");
    // the names of settings are free: this one is a name of the schema, too
    run.replace("etcd/manifest.json", "\"settings\" : { }", "\"settings\" : {\"id\" : \"1\"}");
    run.replace(
        "etcd/manifest.json",
        "\"members\"",
        "\"secured\" : {\"security\" : \"tls\", \"authentication\" : [\"a password\"]},"
            + " \"members\"");
    run.replace(
        "etcd/manifest.json",
        "\"cores\" : 2,",
        "\"cores\" : 2, \"cpuModel\" : \"Xeon\", \"disk\" : \"ext4 on vda\","
            + " \"container\" : \"cpu.max 150000 100000\", \"process\" :"
            + " {\"pid\" : 7, \"start\" : \"2026-11-21T07:51:00Z\"},");
    run.replace("zookeeper/manifest.json", "\"limits\" : [ ]", "\"limits\" : [\"p99 < 50 ms\"]");
    run.replace(
        "zookeeper/manifest.json",
        "\"loadGeneratorCosts\" : [ ]",
        """
        "loadGeneratorCosts" : [ {"step": 1, "clients": 1, "requests": 5000,
          "elapsedNanos": 10000000000, "requestNanos": 1, "cpuNanos": 1, "machineLoad": 0.9,
          "gcPauseNanos": 0, "longestGcPauseNanos": 0} ]\
        """);
    run.replace(
        "zetcd/manifest.json",
        "\"load\" : {",
        "\"load\" : {\"valueSizes\" : {\"shares\" : [{\"bytes\" : 100, \"weight\" : 3},"
            + " {\"bytes\" : 724, \"weight\" : 1}]},");
    run.replace(
        "zetcd/manifest.json",
        "\"streams\" : 5,\n          \"history\" : 0",
        "\"streams\" : 5,\n          \"history\" : 4");
    Searches.write(new DatabaseDirectory(run.directory().path().resolve("etcd")), 8_200);
    run.replace("cetcd/manifest.json", "\"limits\" : [ ]", "\"limits\" : [\"dropped < 2\"]");
    DatabaseDirectory cetcd = new DatabaseDirectory(run.directory().path().resolve("cetcd"));
    StrictJson.append(RunEvent.FILE.file(cetcd), List.of(RunEvent.stall(2, 1, 2, 3)));
    StmSteps.write(run.directory(), "etcd-stm");
    OneShotSteps.write(run.directory(), "etcd-one-shot");
    imports(run, "errors");
    for (String machine : List.of("1-server", "2-server", "3-server", "client")) {
      MachineRows.write(
          run.directory().path().resolve("etcd"),
          machine,
          List.of(at(0, 0, 0)),
          List.of(at(500, 100, 1_000), at(9_500, 1_000, 5_000)));
    }
    run.replace("etcd/manifest.json", "\"text\" :", "\"pricePerHour\" : 0.6, \"text\" :");
    run.replace("etcd/manifest.json", "\"prepared\" : false", "\"prepared\" : true");
    addMemberTraffic(new DatabaseDirectory(run.directory().path().resolve("etcd")));
    addZoneTraffic(new DatabaseDirectory(run.directory().path().resolve("etcd")));
    run.writeValues();
    return run;
  }

  @Test
  void theWatchersOfAStepHaveTheirEventsAndTimes() {
    GoldenRun run = new GoldenRun(results);
    WatchedSteps.write(run.directory(), "etcd");
    run.writeValues();
    assertThat(problems(run)).isEmpty();
    JsonNode second = json(run.read("result.json")).at("/databases/0/steps/1");
    assertThat(second.at("/watch/watchers").asInt()).isEqualTo(10);
    assertThat(second.at("/watch/eventsExpected").asLong()).isEqualTo(40);
    assertThat(second.at("/watch/eventsCoalesced").asLong()).isEqualTo(6);
    assertThat(second.at("/watch/eventsLost").asLong()).isEqualTo(4);
    assertThat(second.at("/watch/createdSeconds").asDouble()).isEqualTo(0.03);
    assertThat(second.at("/watch/firstMs/p50").asDouble()).isCloseTo(1, within(0.001));
    assertThat(second.at("/watch/lastMs/p99").asDouble()).isCloseTo(9, within(0.009));
  }

  @Test
  void eachOperationOfAStepHasItsFigures() {
    GoldenRun run = new GoldenRun(results);
    OperationSteps.write(run.directory(), "etcd");
    run.writeValues();
    assertThat(problems(run)).isEmpty();
    JsonNode etcd = json(run.read("result.json")).at("/databases/0");
    assertThat(etcd.at("/load/operation").asText()).isEqualTo("60% get, 40% put");
    assertThat(etcd.at("/load/operations").toString())
        .isEqualTo("[{\"operation\":\"get\",\"weight\":60},{\"operation\":\"put\",\"weight\":40}]");
    assertThat(etcd.at("/steps/0/load").toString())
        .isEqualTo("{\"clients\":10,\"limitPerSecond\":500}");
    assertThat(etcd.at("/steps/0/operations/1").toString())
        .isEqualTo(
            """
            {"operation":"put","requestsIntended":3,"requestsDropped":0,"requestsSucceeded":1,\
            "requestsFailed":2,"requestsPerSecondAverage":0.4,"latencyMs":{"p10":5,\
            "p25":5,"p50":5,"p75":5,"p90":5,"p95":5,\
            "p99":5,"p99.9":5}}\
            """);
    JsonNode open = etcd.at("/steps/1");
    assertThat(open.path("step").asInt()).isEqualTo(2);
    assertThat(open.has("clients")).isFalse();
    assertThat(open.path("load").toString())
        .isEqualTo("{\"ratePerSecond\":8,\"arrivals\":\"poisson\",\"maxOutstanding\":3}");
    assertThat(open.at("/operations/0/requestsIntended").asLong()).isEqualTo(7);
    assertThat(open.at("/operations/0/requestsDropped").asLong()).isEqualTo(4);
    assertThat(open.at("/operations/0/latencyMs/p50").asDouble()).isCloseTo(4, within(0.004));
    assertThat(open.at("/operations/0/serviceMs/p50").asDouble()).isCloseTo(1, within(0.001));
    assertThat(open.at("/lagMs/p99").asDouble()).isCloseTo(20, within(0.02));
    assertThat(etcd.at("/steps/0/lagMs/p99").asDouble()).isCloseTo(1e-6, within(1e-9));
    assertThat(open.at("/receiveDelayMs/p99").asDouble()).isCloseTo(0.02, within(0.0001));
  }

  @ParameterizedTest
  @ValueSource(strings = {"de", "ru"})
  void theFiguresOfOperationsAreTheSameInEveryLocale(String locale) {
    Golden.inLocale(locale, this::eachOperationOfAStepHasItsFigures);
  }

  @Test
  void whatWasImportedIsThereAsFarAsItsTextSaysIt() throws IOException {
    GoldenRun run = golden();
    imports(run, "errors");
    imports(run, "put-precise");
    run.writeValues();
    assertThat(problems(run)).isEmpty();
    JsonNode imports = json(run.read("result.json")).path("imports");
    assertThat(imports).hasSize(2);
    assertThat(imports.at("/0/errors").toString())
        .isEqualTo("[{\"message\":\"etcdserver: request is too large\",\"count\":5}]");
    assertThat(imports.at("/1/figures/totalSeconds").asDouble()).isEqualTo(0.076894606);
    assertThat(imports.at("/1/figures/requestsSucceeded").asInt()).isEqualTo(400);
    assertThat(imports.at("/1/figures/latencyMs/slowest").asDouble()).isEqualTo(7.255332);
    assertThat(imports.at("/1/figures/latencyMs/p50").asDouble()).isEqualTo(0.787065);
    assertThat(imports.get(1).has("errors")).isFalse();
  }

  private void imports(GoldenRun run, String name) throws IOException {
    Path text = results.resolve(name + ".txt");
    Files.writeString(text, Golden.text("etcd-benchmark/" + name + ".txt"));
    ImportedRun.write(run.directory(), name, Optional.empty(), text, 1);
  }

  @Test
  void whatWasNotMeasuredIsNotThere() {
    GoldenRun run = new GoldenRun(results);
    Manifests.of("etcd", "etcd", 1, 5000).write(run.directory().createDatabase("etcd"));
    run.writeValues();
    assertThat(problems(run)).isEmpty();
    JsonNode database = json(run.read("result.json")).at("/databases/0");
    assertThat(database.path("status").asText()).isEqualTo("interrupted");
    for (String absent : new String[] {"figures", "machines", "errors", "end", "reason"}) {
      assertThat(database.has(absent)).as(absent).isFalse();
    }
    assertThat(database.at("/steps/0").toString())
        .isEqualTo(
            "{\"step\":1,\"clients\":10,\"connections\":2,\"requestsAsked\":5000,\"load\":{\"clients\":10}}");
  }

  @Test
  void numbersAreTheSameInEveryLocale() {
    GoldenRun run = golden();
    String before = run.read("result.json");
    Golden.inLocale("ar-EG", () -> run.writeValues());
    assertThat(run.read("result.json")).isEqualTo(before).doesNotContain("NaN", "E-");
  }

  private GoldenRun golden() {
    GoldenRun run = new GoldenRun(results, "etcd", "zookeeper", "consul");
    run.writeValues();
    return run;
  }

  private static Set<?> problems(GoldenRun run) {
    JsonSchema schema =
        JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(SCHEMA);
    return schema.validate(json(run.read("result.json")));
  }

  private static void names(JsonNode node, Set<String> to) {
    node.fieldNames().forEachRemaining(to::add);
    node.forEach(child -> names(child, to));
  }

  private static void properties(JsonNode schema, Set<String> to) {
    schema.path("properties").fieldNames().forEachRemaining(to::add);
    schema.forEach(child -> properties(child, to));
  }

  private static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
