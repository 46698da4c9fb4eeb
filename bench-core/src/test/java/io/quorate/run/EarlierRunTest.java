package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.quorate.QuorateException;
import io.quorate.run.ClientResults.ErrorRow;
import io.quorate.run.ClientResults.OperationSecond;
import io.quorate.scenario.Steps;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run of format version 1, as version 0.1.0 wrote it at commit 3f5d4f6. */
class EarlierRunTest {
  @TempDir Path run;

  @BeforeEach
  void copyRun() throws IOException, URISyntaxException {
    Path golden = Path.of(EarlierRunTest.class.getResource("golden/version-1").toURI());
    try (Stream<Path> files = Files.walk(golden)) {
      for (Path file : files.filter(each -> !each.equals(golden)).toList()) {
        Files.copy(file, run.resolve(golden.relativize(file)));
      }
    }
  }

  @Test
  void itsOnlyOperationHasTheNewName() {
    Manifest manifest = read("memory").manifest();
    assertThat(manifest.load().mix().toString()).isEqualTo("put");
    assertThat(manifest.load().steps())
        .containsExactly(Steps.closed(1, 1, 1000), Steps.closed(10, 10, 2000));
    assertThat(manifest.load().keys()).isEmpty();
    assertThat(manifest.costs()).extracting(StepCost::step).containsExactly(1, 2);
    assertThat(manifest.costs()).extracting(StepCost::clients).containsExactly(1, 10);
  }

  @Test
  void itsStepsHaveTheShapeOfThoseOfLaterRuns() {
    ClientResults results = read("memory").clients().orElseThrow();
    assertThat(results.steps())
        .containsExactly(
            new StepRow(
                1,
                1,
                30_627_744,
                List.of(new OperationCounts("put", 1000, 0, 1000, 0)),
                1,
                OptionalLong.of(4_766_141),
                OptionalLong.of(0)),
            new StepRow(
                2,
                10,
                32_117_469,
                List.of(new OperationCounts("put", 2000, 0, 2000, 0)),
                1,
                OptionalLong.of(16_705_303),
                OptionalLong.of(0)));
    assertThat(results.requests())
        .extracting(
            OperationSecond::step,
            OperationSecond::operation,
            OperationSecond::succeeded,
            OperationSecond::failed,
            OperationSecond::shed)
        .containsExactly(tuple(1, "put", 1000L, 0L, 0L), tuple(2, "put", 2000L, 0L, 0L));
  }

  @Test
  void itsErrorsHaveTheirStep() {
    ClientResults results = read("zookeeper").clients().orElseThrow();
    assertThat(results.errorRows()).hasSize(6);
    assertThat(results.errorRows().get(1))
        .isEqualTo(
            new ErrorRow(
                OptionalInt.of(1),
                "put",
                1519001010,
                7,
                "connection",
                "zk: connection closed",
                4,
                7.951811));
    assertThat(results.requests(1, "put")).hasSize(20);
    assertThat(results.requests(1, "put").get(10).failed()).isEqualTo(7);
    assertThat(results.requests(1, "put").get(6).averageMs()).isEqualTo(OptionalDouble.empty());
    assertThat(results.requests().stream().mapToLong(OperationSecond::failed).sum()).isEqualTo(22);
  }

  @Test
  void itsLatenciesAreThoseOfTheOperation() {
    LatencyLog.Contents latencies = read("memory").latencies();
    assertThat(latencies.byTag().keySet())
        .containsExactly(LatencyTag.response(1, "put"), LatencyTag.response(2, "put"));
    assertThat(latencies.ofStep(2).getTotalCount()).isEqualTo(2000);
  }

  @Test
  void theEarliestRunsHaveNoFileOfSteps() throws IOException {
    Files.delete(run.resolve("zookeeper/steps.csv"));
    ClientResults results = read("zookeeper").clients().orElseThrow();
    assertThat(results.steps()).isEmpty();
    assertThat(results.requests(1, "put")).hasSize(20);
    Files.delete(run.resolve("memory/steps.csv"));
    assertThat(read("memory").clients().orElseThrow().requests()).isEmpty();
  }

  /** Two steps with as many clients are told apart by their seconds. */
  @Test
  void anErrorOfOneOfTwoAlikeStepsHasTheStepOfItsSecond() {
    EarlierRun earlier =
        new EarlierRun(
            AskedLoad.of(Manifests.load(Steps.closed(10, 1, 5), Steps.closed(10, 1, 5)), 1),
            List.of(
                new ClientResults.Second(7, 10, 1, 1, 1, 4),
                new ClientResults.Second(8, 10, 1, 1, 1, 4)),
            List.of(row(1), row(2)));
    ErrorRow error = new ErrorRow(OptionalInt.empty(), "put", 8, 10, "timeout", "late", 1, 5);
    assertThat(earlier.errors(List.of(error)))
        .extracting(ErrorRow::step)
        .containsExactly(OptionalInt.of(2));
  }

  private static StepRow row(int number) {
    return new StepRow(
        number,
        10,
        1,
        List.of(new OperationCounts("put", 0, 4, 0)),
        1,
        OptionalLong.empty(),
        OptionalLong.empty());
  }

  @Test
  void filesOfTheNewFormatAreRefusedInAnEarlierRun() throws IOException {
    replace("memory/steps.csv", "STEP,", "STEP,OPERATION,");
    assertThatThrownBy(() -> read("memory"))
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining("steps.csv:1: found 9 cells, expected 8 cells");
  }

  @Test
  void anOperationThatWasNoneThenIsAnError() throws IOException {
    replace("memory/manifest.json", "\"operation\" : \"write\"", "\"operation\" : \"txn\"");
    assertThatThrownBy(() -> read("memory"))
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining("load.operation: found \"txn\", expected one of write, read");
  }

  private DatabaseRun read(String id) {
    return DatabaseRun.readIntact(run.resolve(id));
  }

  private void replace(String name, String text, String other) throws IOException {
    Path file = run.resolve(name);
    assertThat(Files.readString(file)).contains(text);
    Files.writeString(file, Files.readString(file).replace(text, other));
  }
}
