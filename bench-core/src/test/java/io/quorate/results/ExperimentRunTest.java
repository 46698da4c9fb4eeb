// SPDX-License-Identifier: Apache-2.0
package io.quorate.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quorate.QuorateException;
import io.quorate.measure.Latencies;
import io.quorate.measure.StepMeasurement;
import io.quorate.results.latency.LatencyLog;
import io.quorate.results.latency.LatencySummary;
import io.quorate.results.latency.LatencyTag;
import io.quorate.results.latency.Percentile;
import io.quorate.results.manifest.Manifests;
import io.quorate.results.manifest.RunStatus;
import io.quorate.results.requests.ClientResults;
import io.quorate.results.requests.Golden;
import io.quorate.results.requests.WrittenSteps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExperimentRunTest {
  private static final String ZOOKEEPER = "zookeeper-r3.5.3-beta-java8";

  @TempDir Path results;
  private RunDirectory run;
  private DatabaseDirectory zookeeper;

  @BeforeEach
  void writeRun() {
    run = RunDirectory.create(results, "quick", 1, Manifests.START);
    zookeeper = run.createDatabase("zookeeper");
    write(zookeeper, Golden.steps(ZOOKEEPER), ZOOKEEPER);
  }

  static void write(DatabaseDirectory directory, List<StepMeasurement> steps, String tag) {
    WrittenSteps.write(directory, steps);
    try (LatencyLog log = LatencyLog.create(directory.latencyLog(), Manifests.START)) {
      steps.forEach(step -> log.append(LatencyTag.response(1, "put"), step.histogram()));
    }
    Manifests.withSteps(Manifests.of(directory.id(), tag, 1, 5000), steps)
        .completed(Manifests.START.plusSeconds(20))
        .write(directory);
  }

  @Test
  void readsWhatWasWritten() {
    ClientResults results = read().clients().orElseThrow();

    assertThat(results.totalSeconds()).isCloseTo(19.5536, within(1e-4));
    assertThat(results.requestsPerSecond().orElseThrow()).isCloseTo(254.5826, within(1e-4));
    LatencySummary latency =
        LatencySummary.of(
            results.latencies(any -> true, Optional.empty()), read().latencies().all());
    assertThat(latency.slowestMs()).isEqualTo(3834.725711);
    assertThat(latency.fastestMs()).isEqualTo(4.209746);
    assertThat(latency.averageMs()).isCloseTo(27.4251, within(1e-4));
    assertThat(latency.standardDeviationMs()).isCloseTo(142.5657, within(1e-4));
    assertThat(latency.percentilesMs()).hasSize(8);
    assertThat(latency.percentilesMs().get(Percentile.P50)).isCloseTo(19.97, within(0.01));
    assertThat(results.errors())
        .containsExactly(
            new ClientResults.ErrorCount("\"zk: connection closed\"", 17),
            new ClientResults.ErrorCount("\"zk: could not connect to a server\"", 5));
    assertThat(results.seconds(1)).hasSize(20).containsEntry(1519001006L, Latencies.NONE);
    assertThat(results.seconds(1).get(1519001005L))
        .extracting(Latencies::count, Latencies::minNanos, Latencies::maxNanos)
        .containsExactly(267L, 6_670_139L, 3_834_725_711L);
    assertThat(results.errorRows().get(0).message()).isEqualTo("zk: connection closed");
    assertThat(results.successCount()).isEqualTo(4978);
    assertThat(results.errorCount()).isEqualTo(22);
    assertThat(read().latencies().all().getTotalCount()).isEqualTo(4978);
  }

  @Test
  void databasesComeInTheOrderOfTheScenario() {
    write(run.createDatabase("consul"), Golden.steps("consul-v1.0.2-go1.9.3"), "consul");
    write(run.createDatabase("etcd"), Golden.steps("etcd-v3.3.0-go1.9.3"), "etcd");

    assertThat(ExperimentRun.read(run.path()).databases())
        .extracting(database -> database.manifest().store().id())
        .containsExactly("etcd", "zookeeper", "consul");
  }

  @Test
  void aMissingLogOfACompleteRunIsAnError() throws IOException {
    Files.delete(zookeeper.path().resolve("latency.hlog"));
    assertThatThrownBy(() -> IntactRun.read(zookeeper.path()))
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining(zookeeper.path().resolve("latency.hlog") + ": found no such file");
    assertThat(read().clients().orElseThrow().successCount()).isPositive();
    assertThat(read().latencies().all().getTotalCount()).isZero();
  }

  @Test
  void ofAnInterruptedRunFilesMayBeMissing() throws IOException {
    DatabaseDirectory etcd = run.createDatabase("etcd");
    Manifests.of("etcd", "etcd", 1, 5000).write(etcd);

    DatabaseRun read = ExperimentRun.read(run.path()).databases().get(0);

    assertThat(read.manifest().status()).isEqualTo(RunStatus.INTERRUPTED);
    assertThat(read.clients()).isEmpty();
    assertThat(read.latencies().byTag()).isEmpty();
  }

  @Test
  void aDirectoryWithoutARunIsAnError() {
    assertThatThrownBy(() -> ExperimentRun.read(results))
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining("found no */manifest.json, expected the directory of a run");
  }

  private DatabaseRun read() {
    return DatabaseRun.read(zookeeper.path());
  }
}
