package io.quorate.results.requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.DatabaseRun;
import io.quorate.results.ExperimentRun;
import io.quorate.results.requests.ClientResults.ErrorRow;
import io.quorate.results.requests.ClientResults.OperationSecond;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of a run whose steps have several operations, written and read again. */
class OperationFilesTest {
  private static final OptionalDouble NONE = OptionalDouble.empty();

  @TempDir Path results;
  private DatabaseDirectory directory;

  @BeforeEach
  void writeRun() {
    directory = OperationSteps.write(results);
  }

  @Test
  void eachStepHasTheRequestsOfEachOperation() {
    ClientResults read = read();
    assertThat(read.steps())
        .containsExactly(
            new StepRow(
                1,
                10,
                2_500_000_000L,
                List.of(
                    new OperationCounts("get", 3, 0, 3, 0), new OperationCounts("put", 3, 0, 1, 2)),
                3,
                OptionalLong.of(1_500_000_000),
                OptionalLong.of(1_500_000_000)),
            new StepRow(
                2,
                4,
                1_000_000_000,
                List.of(
                    new OperationCounts("get", 7, 4, 3, 0), new OperationCounts("put", 1, 0, 1, 0)),
                2,
                OptionalLong.of(1_000_000),
                OptionalLong.of(0)));
    assertThat(read.steps().get(1).intended()).isEqualTo(8);
    assertThat(read.steps().get(1).shed()).isEqualTo(4);
    assertThat(read.steps().get(0).failed()).isEqualTo(2);
    assertThat(read.shedCount()).isEqualTo(4);
    assertThat(read.errorRows())
        .containsExactly(new ErrorRow(1, "put", 101, 10, "timeout", "no answer", 2, 7));
  }

  @Test
  void eachOperationHasItsSeconds() {
    assertThat(read().requests(1, "get"))
        .containsExactly(
            new OperationSecond(1, "get", 100, 0, 2, 0, ms(1), ms(1.5), ms(2)),
            new OperationSecond(1, "get", 101, 0, 0, 0, NONE, NONE, NONE),
            new OperationSecond(1, "get", 102, 0, 1, 0, ms(3), ms(3), ms(3)));
    assertThat(read().requests(2, "get"))
        .containsExactly(
            new OperationSecond(2, "get", 103, 0, 3, 0, ms(4), ms(4), ms(4)),
            new OperationSecond(2, "get", 104, 4, 0, 0, NONE, NONE, NONE));
    assertThat(read().requests(1, "put"))
        .extracting(OperationSecond::failed)
        .containsExactly(2L, 0L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"requests.csv", "steps.csv", "errors.csv"})
  void aMissingFileOfACompleteRunIsAnError(String name) throws IOException {
    Files.delete(directory.path().resolve(name));
    assertUnreadable(name + ": found no such file");
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      value = {
        "requests.csv => 1,get,100,10,0,2 => 3,get,100,10,0,2 => :2: found step 3, expected 1 to 2 as in manifest.json",
        "requests.csv => 1,get,100,10,0,2 => 1,txn,100,10,0,2 => :2: found \"txn\", expected get or put as the operations",
        "requests.csv => 1,get,101, => 2,get,101, => :3: found 10 clients, expected 4 as step 2",
        "requests.csv => 1,get,102, => 1,get,103, => :4: found second 103, expected 102, as no second is left out",
        "requests.csv => 1,put,101 => 1,get,103 => requests.csv: found 2 requests of step 1, get, that failed, expected 0",
        "requests.csv => 2,get,104,4,4 => 2,get,104,4,5 => requests.csv: found 5 requests of step 2, get, that shed, expected 4",
        "requests.csv => 2,get,103,4,0,3 => 2,get,103,4,0,2 => requests.csv: found 2 requests of step 2, get, that succeeded, expected 3",
        "requests.csv => 2,get,103,4,0,3 => 1,get,103,10,0,3 => :7: found step 1, get, expected rows by step and operation",
        "requests.csv => 1.500000,2.000000 => 2.500000,2.000000 => :2: found 1.0, 2.5 and 2.0 ms, expected the least",
        "requests.csv => 0,0,0,,, => 0,0,0,1.0,, => :3: found a latency of no request, 1.0, expected an empty cell",
        "requests.csv => 0,2,0,1. => 0,1e15,0,1. => :2: found '1e15', expected a whole number of 0 or more",
        "requests.csv => 0,2,0,1. => 0,1000000000000001,0,1. => :2: found 1000000000000001 requests, expected at most 10^15",
        "requests.csv => 2,get,103,4,0,3,0 => 2,get,203,4,0,3,0 => :8: found second 104, expected 204",
        "requests.csv => 2,put,104, => 2,put,105, => requests.csv: found other requests in second 105 of step 2 than",
        "steps.csv => 1,get,10,3,0 => 1,get,10,4,0 => :2: found 4 intended requests, expected 3, those that were shed",
        "steps.csv => 2,get,4,7,4,3,0 => 2,get,5,7,4,3,0 => :4: found 5 clients, expected 4 as step 2 in manifest.json",
        "steps.csv => 1,put, => 1,get, => :3: found step 1, get, expected step 1, put",
        "steps.csv => 2,put,4,1,0,1,0,1000000000, => 2,put,4,1,0,1,0,1000000001, => :5: found another duration,",
        "errors.csv => 1,put,101 => 1,get,101 => errors.csv: found 2 requests of step 1, get, that failed, expected 0",
        "errors.csv => 1,put,101,10 => 1,put,101,4 => :2: found 4 clients, expected 10 as step 1",
      })
  void damageIsNamed(String file, String text, String damage, String message) throws IOException {
    replace(file, text, damage);
    assertUnreadable(message);
  }

  @Test
  void theLastRowOfAStepMustNotBeMissing() throws IOException {
    Path file = directory.path().resolve("steps.csv");
    String text = Files.readString(file);
    Files.writeString(file, text.substring(0, text.indexOf("2,put")));
    assertUnreadable("steps.csv:4: found the end after get, expected a row of step 2, put");
  }

  @Test
  void serviceTimesAndLagCountWhatResponseTimesCount() throws IOException {
    Path file = directory.latencyLog();
    String text = Files.readString(file);
    Files.writeString(file, text.replaceFirst("(?m)^Tag=step=2;op=get;time=service,.*\n", ""));
    assertUnreadable("found 0 requests of step 2, get, that have service times, expected 3");
    Files.writeString(file, text.replaceFirst("(?m)^Tag=step=2;time=lag,.*\n", ""));
    assertUnreadable("found the lag of 0 requests of step 2, expected 4 as in");
    Files.writeString(file, text.replaceFirst("step=2;op=put,", "step=1;op=put,"));
    assertUnreadable("found 2 requests of step 1, put, that succeeded, expected 1");
  }

  @Test
  void aRunThatWasKilledBetweenTwoFilesHasNoSteps() throws IOException {
    replace("manifest.json", "\"status\" : \"complete\"", "\"status\" : \"interrupted\"");
    replace("requests.csv", "2,get,103,4,0,3", "2,get,103,4,0,4");
    assertThat(read().steps()).isEmpty();
    assertThat(read().requests()).isEmpty();
    assertThat(read().successCount()).isEqualTo(8);
  }

  @Test
  void aLinkThatLeadsOutOfTheRunIsNotFollowed() throws IOException {
    Path secret = Files.writeString(results.resolve("secret"), "password\n");
    Files.delete(directory.path().resolve("requests.csv"));
    Files.createSymbolicLink(directory.path().resolve("requests.csv"), secret);
    assertThatThrownBy(() -> ExperimentRun.read(directory.path().getParent()))
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining("requests.csv: found a link that leads out of the run")
        .hasMessageNotContaining("password");
  }

  private static OptionalDouble ms(double value) {
    return OptionalDouble.of(value);
  }

  private ClientResults read() {
    return DatabaseRun.readIntact(directory.path()).clients().orElseThrow();
  }

  private void replace(String name, String text, String other) throws IOException {
    Path file = directory.path().resolve(name);
    assertThat(Files.readString(file)).contains(text);
    Files.writeString(file, Files.readString(file).replace(text, other));
  }

  private void assertUnreadable(String message) {
    assertThatThrownBy(() -> DatabaseRun.readIntact(directory.path()))
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining(message);
  }
}
