package io.quorate.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quorate.QuorateException;
import io.quorate.measure.StepMeasurement;
import io.quorate.results.latency.LatencyLog;
import io.quorate.results.latency.LatencyTag;
import io.quorate.results.latency.Percentile;
import io.quorate.results.manifest.Manifests;
import io.quorate.results.manifest.RunStatus;
import io.quorate.results.requests.ClientFiles;
import io.quorate.results.requests.ClientResults;
import io.quorate.results.requests.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
    new ClientFiles(directory).write(steps);
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

    assertThat(results.totalSeconds()).isEqualTo(19.5536);
    assertThat(results.requestsPerSecond()).hasValue(254.5826);
    ClientResults.Latency latency = results.latency().orElseThrow();
    assertThat(latency.slowestMs()).isEqualTo(3834.7257);
    assertThat(latency.fastestMs()).isEqualTo(4.2097);
    assertThat(latency.averageMs()).isEqualTo(27.4251);
    assertThat(latency.standardDeviationMs()).isEqualTo(142.5657);
    assertThat(latency.percentilesMs()).hasSize(8);
    assertThat(latency.percentilesMs().get(Percentile.P50)).isCloseTo(19.97, within(0.01));
    assertThat(results.errors())
        .containsExactly(
            new ClientResults.ErrorCount("\"zk: connection closed\"", 17),
            new ClientResults.ErrorCount("\"zk: could not connect to a server\"", 5));
    assertThat(results.seconds())
        .hasSize(20)
        .contains(
            new ClientResults.Second(1519001005, 7, 6.670139, 121.685769, 3834.725711, 267),
            new ClientResults.Second(1519001006, 7, 0, 0, 0, 0));
    assertThat(results.keyNumbers())
        .contains(new ClientResults.KeyNumber(1000, 4.209746, 22.155048, 66.758379));
    assertThat(results.distribution()).hasSize(384).contains(new ClientResults.Bucket(90, 0));
    assertThat(results.errorRows().get(0).message()).isEqualTo("zk: connection closed");
    assertThat(results.successCount()).isEqualTo(4978);
    assertThat(results.errorCount()).isEqualTo(22);
    assertThat(results.fastestNanos()).hasValue(4_209_746);
    assertThat(results.slowestNanos()).hasValue(3_834_725_711L);
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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "client-latency-by-key-number.csv",
        "client-latency-distribution-all.csv",
        "client-latency-distribution-percentile.csv",
        "client-latency-distribution-summary.csv",
        "client-latency-throughput-timeseries.csv",
        "errors.csv",
        "latency.hlog",
      })
  void aMissingFileOfACompleteRunIsAnError(String name) throws IOException {
    Files.delete(zookeeper.path().resolve(name));
    assertUnreadable(name + ": found no such file");
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      value = {
        "throughput-timeseries => 1519001003,7 => 1519001003,NaN => :5: found 'NaN', expected a whole",
        "throughput-timeseries => 4.209746 => NaN => :5: found 'NaN', expected a number of 0 or more",
        "throughput-timeseries => 4.209746 => 1e3 => :5: found '1e3', expected a number of 0 or more",
        "throughput-timeseries => 4.209746 => -1 => :5: found '-1', expected a number of 0 or more",
        "throughput-timeseries => 4.209746, => '' => :5: found 5 cells, expected 6 cells",
        "throughput-timeseries => UNIX-SECOND => SECOND => :1: found SECOND,CONTROL-CLIENT-NUM,",
        "distribution-summary => TOTAL-SECONDS => TOTAL => :1: found TOTAL, expected TOTAL-SECONDS",
        "distribution-summary => STDDEV => DEVIATION => :6: found DEVIATION-LATENCY-MS, expected STDDEV",
        "distribution-summary => ',17' => ',18' => errors.csv: found 22 requests, expected 23",
        "distribution-summary => 'ERROR: ' => 'FAULT: ' => :7: found FAULT: ",
        "distribution-percentile => p99.9 => p99.99 => :9: found p99.99, expected p99.9",
        "distribution-all => 110,2 => 110,3 => found 4979 requests, expected 4978",
      })
  void damageIsNamedWithItsLine(String file, String text, String damage, String message)
      throws IOException {
    Path path = zookeeper.path().resolve("client-latency-" + file + ".csv");
    String whole = Files.readString(path);
    assertThat(whole).contains(text);
    Files.writeString(path, whole.replace(text, damage));
    assertUnreadable(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"by-key-number", "distribution-all", "throughput-timeseries"})
  void aTruncatedFileIsAnError(String name) throws IOException {
    Path path = zookeeper.path().resolve("client-latency-" + name + ".csv");
    String whole = Files.readString(path);
    Files.writeString(path, whole.substring(0, whole.length() - 3));
    long lines = whole.lines().count();
    assertUnreadable(name + ".csv:" + lines + ": found an incomplete last line");
    Files.writeString(path, "");
    assertUnreadable(name + ".csv:1: found nothing, expected the header");
  }

  @Test
  void missingSecondsAreNoticed() throws IOException {
    Path path = zookeeper.path().resolve("client-latency-throughput-timeseries.csv");
    String whole = Files.readString(path);
    Files.writeString(path, whole.substring(0, whole.lastIndexOf("1519001019")));
    assertUnreadable("found 4978 requests, expected 4719");
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

  private void assertUnreadable(String message) {
    assertThatThrownBy(() -> DatabaseRun.readIntact(zookeeper.path()))
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining(zookeeper.path().toString())
        .hasMessageContaining(message);
  }
}
