// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.findings;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.measure.StepMeasurement;
import io.quorate.report.figures.RunFigures;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.DatabaseRun;
import io.quorate.results.ExperimentRun;
import io.quorate.results.RunDirectory;
import io.quorate.results.latency.LatencyLog;
import io.quorate.results.latency.LatencyTag;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.Manifests;
import io.quorate.results.requests.Golden;
import io.quorate.results.requests.WrittenSteps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WarningsTest {
  private static final String ONCE =
      "Each database was measured once: differences of up to 10% count as ties; larger ones "
          + "may still be noise.";
  private static final String BRIEF =
      "Requests were measured for less than a minute (etcd for 12.1 s, ZooKeeper for 19.6 s "
          + "and Consul for 25.8 s): too short to show long-term effects.";

  private static final String CLOSED_LOOP =
      "Closed loop: each client waits for a response before its next request, so a stalled "
          + "database gets fewer requests, and latencies omit the requests that would have waited "
          + "(coordinated omission).";

  private static final String STALL =
      "ZooKeeper: no request succeeded for 3.8 s (with 10 clients); at most 10 requests were "
          + "in flight, so percentiles barely show it.";

  private static final String COSTS =
      """
      "loadGeneratorCosts" : [ { "step" : 1, "clients" : 10, "requests" : 5000, "elapsedNanos" : 10000000000,
        "requestNanos" : 1, "cpuNanos" : 1, "machineLoad" : %s, "gcPauseNanos" : 0,
        "longestGcPauseNanos" : 0 } ]\
      """;

  private static final String LOCAL = "\"hosting\" : \"local\", \"leaderAtStart\"";

  @TempDir Path run;
  private final Map<String, DatabaseRun> runs = new LinkedHashMap<>();

  @Test
  void whatEveryRunIsLimitedBy() throws IOException {
    all();
    assertThat(sentences()).containsExactly(STALL, ONCE, BRIEF, CLOSED_LOOP);
  }

  @Test
  void oneDatabaseAloneIsNotComparedByChance() throws IOException {
    complete("etcd");
    assertThat(sentences())
        .containsExactly(
            "The run lacks these databases of the scenario: zookeeper and consul.",
            "It was measured once: the spread between runs is unknown.",
            "Requests were measured for less than a minute (etcd for 12.1 s): too short to "
                + "show long-term effects.",
            CLOSED_LOOP);
  }

  @Test
  void aRunOfMillisecondsIsNotSaidToHaveTakenNoTime() throws IOException {
    complete("etcd");
    DatabaseDirectory etcd = new DatabaseDirectory(run.resolve("etcd"));
    Path steps = etcd.path().resolve("steps.csv");
    Files.writeString(steps, Files.readString(steps).replaceAll("(?m)^1,[0-9]+", "1,28700000"));
    runs.put("etcd", DatabaseRun.read(etcd.path()));
    assertThat(sentences().toString()).contains("(etcd for 0.029 s)");
  }

  @Test
  void whatDidNotEndIsNamedWithItsReason() throws IOException {
    complete("etcd");
    complete("zookeeper", "\"complete\"", "\"interrupted\"");
    DatabaseDirectory consul = new RunDirectory(run).createDatabase("consul");
    Manifests.of("consul", "consul", 1, 5000)
        .failed(Manifests.START, "no leader\u001b[2J 100 %s")
        .write(consul);
    runs.put("consul", DatabaseRun.read(consul.path()));
    assertThat(sentences())
        .startsWith(
            "ZooKeeper: interrupted after 19.6 s, so it is not compared.",
            "Consul: failed before the first request was measured (no leader\\x1b[2J 100 %s), so"
                + " it is not compared.");
  }

  @Test
  void loadsThatDifferAreNamed() throws IOException {
    complete("etcd");
    complete("zookeeper", "\"clients\" : 10", "\"clients\" : 700");
    complete("consul");
    assertThat(sentences())
        .containsExactly(
            "Databases got different numbers of clients (etcd and Consul: 10; ZooKeeper: 700).",
            STALL.replace("10", "700"),
            ONCE,
            BRIEF,
            CLOSED_LOOP);
  }

  @Test
  void oneMachineForAllIsALimit() throws IOException {
    complete("etcd", "\"10.0.0.", "\"127.0.0.", "\"leaderAtStart\"", LOCAL);
    complete(
        "consul",
        "\"10.0.0.1:2379\", \"10.0.0.2:2379\"",
        "\"bench-1:1\", \"[::1]:2\"",
        "\"leaderAtStart\"",
        LOCAL);
    assertThat(sentences())
        .contains(
            "The servers of etcd and Consul and the load generator shared one machine with 2 "
                + "cores: they competed for CPU, and no network was involved.");
  }

  @Test
  void ofGivenServersOnlyTheAddressesAreKnown() throws IOException {
    String given = LOCAL.replace("local", "given");
    complete("etcd", "\"10.0.0.", "\"127.0.0.", "\"leaderAtStart\"", given);
    complete("zookeeper", "\"leaderAtStart\"", given);
    complete("consul", "\"10.0.0.", "\"127.0.0.");
    assertThat(sentences())
        .contains(
            "Only the addresses of these servers are known (etcd: 127.0.0.1:2379 and"
                + " 127.0.0.2:2379, of the load generator's own machine; ZooKeeper: 10.0.0.1:2379"
                + " and 10.0.0.2:2379; Consul: 127.0.0.1:2379 and 127.0.0.2:2379, of the load"
                + " generator's own machine), not their hardware or network.")
        .noneMatch(sentence -> sentence.contains("no network"))
        .noneMatch(sentence -> sentence.contains("shared"));
  }

  @Test
  void theMapInMemoryHasNoServers() throws IOException {
    complete(
        "etcd",
        "\"id\" : \"etcd\"",
        "\"id\" : \"memory\"",
        "\"10.0.0.",
        "\"127.0.0.",
        "\"leaderAtStart\"",
        LOCAL);
    runs.put("memory", runs.remove("etcd"));
    assertThat(sentences())
        .contains(
            "in-memory map ran within the load generator itself, on a machine with 2 cores: there were no"
                + " servers and no network.")
        .noneMatch(sentence -> sentence.contains("The servers of"));
  }

  @Test
  void aBusyMachineIsALimitWhateverUsedIt() throws IOException {
    complete("etcd", "\"loadGeneratorCosts\" : [ ]", COSTS.formatted("0.97"));
    complete("consul", "\"loadGeneratorCosts\" : [ ]", COSTS.formatted("0.79"));
    assertThat(sentences())
        .contains(
            "etcd: the load generator's host was 97% busy with 10 clients: it may have slowed the"
                + " requests.")
        .noneMatch(sentence -> sentence.startsWith("Consul: the load generator"))
        .anyMatch(
            sentence ->
                sentence.startsWith(
                    "Other processes used part of the load generator's CPUs (etcd: "));
  }

  @Test
  void readsOfTheSameNameAreNotTheSame() throws IOException {
    complete("etcd", "\"operation\" : \"put\"", "\"operation\" : \"get\"");
    complete("zookeeper", "\"operation\" : \"put\"", "\"operation\" : \"get\"");
    assertThat(sentences())
        .contains(
            "Reads have different guarantees: etcd linearizable, ZooKeeper synced with the leader,"
                + " which no majority confirms.");
  }

  private void all() throws IOException {
    for (String id : List.of("etcd", "zookeeper", "consul")) {
      complete(id);
    }
  }

  /** Adds a run that ended well, with pairs of texts of its manifest changed. */
  private void complete(String id, String... changes) throws IOException {
    String tag = Golden.TAGS.stream().filter(each -> each.startsWith(id)).findFirst().orElseThrow();
    List<StepMeasurement> steps = Golden.steps(tag);
    DatabaseDirectory directory = new RunDirectory(run).createDatabase(id);
    WrittenSteps.write(directory, steps);
    try (LatencyLog log = LatencyLog.create(directory.latencyLog(), Manifests.START)) {
      for (StepMeasurement step : steps) {
        log.append(LatencyTag.response(1, "put"), step.histogram());
      }
    }
    Manifest some = Manifests.of(id, tag, 1, 5000).completed(Manifests.START);
    Manifests.withSteps(some, steps).write(directory);
    DatabaseRun measured = DatabaseRun.read(directory.path());
    some.write(directory);
    String manifest = Files.readString(directory.manifest());
    for (int i = 0; i < changes.length; i += 2) {
      manifest =
          manifest
              .replaceAll("\",\\s+\"10", "\", \"10")
              .replaceAll("5000\\s*\\}\\s*\\]", "5000 } ]");
      assertThat(manifest).contains(changes[i]);
      manifest = manifest.replace(changes[i], changes[i + 1]);
    }
    Files.writeString(directory.manifest(), manifest);
    Manifest changed = Manifest.read(directory.manifest());
    runs.put(
        id,
        new DatabaseRun(
            directory,
            changed,
            measured.clients(),
            measured.latencies(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            Optional.empty(),
            measured.journals(),
            measured.machines(),
            List.of()));
  }

  private List<String> sentences() {
    return Warnings.sentences(
        RunFigures.of(
            new ExperimentRun(new RunDirectory(run), List.copyOf(runs.values()), List.of())));
  }
}
