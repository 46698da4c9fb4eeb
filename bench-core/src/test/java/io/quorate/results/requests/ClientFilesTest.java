// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.quorate.QuorateException;
import io.quorate.measure.ErrorTally;
import io.quorate.measure.Latencies;
import io.quorate.measure.Measurements;
import io.quorate.measure.SecondMeasurement;
import io.quorate.measure.SuccessGaps;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.IntactRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of a run whose steps have several operations, written and read again. */
class ClientFilesTest {
  private static final String SECONDS =
      """
      STEP,OPERATION,UNIX-SECOND,DROPPED,SUCCEEDED,FAILED,MIN-NANOS,MAX-NANOS,SUM-NANOS,SUM-OF-SQUARES
      1,get,100,0,2,0,1000000,2000000,3000000,5000000000000
      1,get,102,0,1,0,3000000,3000000,3000000,9000000000000
      1,put,101,0,0,2,,,0,0
      1,put,102,0,1,0,5000000,5000000,5000000,25000000000000
      2,get,103,0,3,0,4000000,4000000,12000000,48000000000000
      2,get,104,4,0,0,,,0,0
      2,put,104,0,1,0,6000000,6000000,6000000,36000000000000
      """;

  @TempDir Path results;
  private DatabaseDirectory directory;

  @BeforeEach
  void writeRun() {
    directory = OperationSteps.write(results);
  }

  @Test
  void a_file_of_an_earlier_version_whose_column_was_called_shed_is_read() throws Exception {
    Path seconds = directory.path().resolve("seconds.csv");
    Files.writeString(seconds, SECONDS.replace("DROPPED", "SHED"));
    assertThat(SecondRow.FILE.read(directory.path()).rows())
        .extracting(SecondRow::dropped)
        .containsExactly(0L, 0L, 0L, 0L, 0L, 4L, 0L);
  }

  @Test
  void a_row_is_written_for_each_second_step_and_operation() {
    assertThat(file("seconds.csv")).hasContent(SECONDS);
    assertThat(file("errors.csv"))
        .hasContent(
            """
            STEP,OPERATION,UNIX-SECOND,KIND,MESSAGE,COUNT,TOTAL-NANOS
            1,put,101,timeout,no answer,2,7000000
            """);
    assertThat(file("steps.csv"))
        .hasContent(
            """
            STEP,DURATION-NANOS,LONGEST-NANOS-WITHOUT-SUCCESS,STALLED-NANOS
            1,2500000000,1500000000,1500000000
            2,1000000000,1000000,0
            """);
    assertThat(file("attempts.csv")).doesNotExist();
    assertThat(file("watch.csv")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"de", "ru"})
  void a_locale_changes_nothing(String locale) {
    Golden.inLocale(
        locale,
        () -> {
          OperationSteps.write(results);
          a_row_is_written_for_each_second_step_and_operation();
        });
  }

  @Test
  void each_step_has_the_requests_of_each_operation() {
    ClientResults read = read();
    assertThat(read.steps())
        .containsExactly(
            new StepTimes(
                1, 2_500_000_000L, OptionalLong.of(1_500_000_000), OptionalLong.of(1_500_000_000)),
            new StepTimes(2, 1_000_000_000, OptionalLong.of(1_000_000), OptionalLong.of(0)));
    assertThat(read.operations(1))
        .containsExactly(new OperationCounts("get", 0, 3, 0), new OperationCounts("put", 0, 1, 2));
    assertThat(read.operations(2))
        .containsExactly(new OperationCounts("get", 4, 3, 0), new OperationCounts("put", 0, 1, 0));
    assertThat(read.counts().intended()).isEqualTo(14);
    assertThat(read.counts().dropped()).isEqualTo(4);
    assertThat(read.errorRows())
        .containsExactly(new ErrorRow(1, "put", 101, "timeout", "no answer", 2, 7_000_000));
  }

  @Test
  void a_second_in_which_nothing_was_due_is_read_as_one_without_successes() {
    assertThat(read().seconds(1).values())
        .extracting(Latencies::count, Latencies::minNanos, Latencies::maxNanos)
        .containsExactly(
            tuple(2L, 1_000_000L, 2_000_000L),
            tuple(0L, Latencies.NONE.minNanos(), 0L),
            tuple(2L, 3_000_000L, 5_000_000L));
    assertThat(read().seconds(2).keySet()).containsExactly(103L, 104L);
  }

  @Test
  void requests_that_ended_later_have_a_row_of_their_own_and_are_added() throws IOException {
    replace("seconds.csv", "1,get,100,0,2,0,1000000,2000000,3000000,5000000000000\n", "");
    new ClientFiles(directory)
        .append(
            1,
            "get",
            List.of(
                second(new Latencies(1, 2_000_000, 2_000_000, 2_000_000, 4e12)),
                second(new Latencies(1, 1_000_000, 1_000_000, 2_000_000, 1e12))));
    assertThat(read().requests().get(0))
        .isEqualTo(
            new SecondRow(
                1,
                "get",
                100,
                0,
                2,
                0,
                OptionalLong.of(1_000_000),
                OptionalLong.of(2_000_000),
                3_000_000,
                5e12));
  }

  private static SecondMeasurement second(Latencies latencies) {
    return new SecondMeasurement(100, latencies, List.of());
  }

  @Test
  void messages_are_written_as_they_are() {
    DatabaseDirectory other = new DatabaseDirectory(results.resolve("other"));
    other.path().toFile().mkdir();
    WrittenSteps.write(
        other,
        List.of(
            Measurements.ofPuts(
                3,
                2_000_000_000,
                Latencies.NONE,
                new Histogram(3),
                List.of(
                    new SecondMeasurement(
                        100,
                        Latencies.NONE,
                        List.of(
                            new ErrorTally("other", "a, \"b\"", 2, 1),
                            new ErrorTally("rejected", "no leader\n", 3, 1_500_000)))),
                new SuccessGaps(0, List.of()))));
    assertThat(other.path().resolve("errors.csv"))
        .hasContent(
            """
            STEP,OPERATION,UNIX-SECOND,KIND,MESSAGE,COUNT,TOTAL-NANOS
            1,put,100,rejected,"no leader
            ",3,1500000
            1,put,100,other,"a, ""b""\",2,1
            """);
    assertThat(ErrorRow.FILE.read(other.path()).rows())
        .extracting(ErrorRow::message)
        .containsExactly("no leader\n", "a, \"b\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"seconds.csv", "steps.csv", "errors.csv"})
  void a_missing_file_of_a_complete_run_is_an_error(String name) throws IOException {
    Files.delete(file(name));
    assertUnreadable(name + ": found no such file");
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      value = {
        "seconds.csv => 1,get,100 => 3,get,100 => seconds.csv: found step 3, expected 1 to 2 as in"
            + " manifest.json",
        "seconds.csv => 102,0,1,0 => 102,0,1e15,0 => seconds.csv:3: found '1e15', expected a whole"
            + " number of 0 or more",
        "seconds.csv => 102,0,1,0 => 102,0,-1,0 => seconds.csv:3: found '-1', expected a whole"
            + " number of 0 or more",
        "seconds.csv => ,5000000000000 => ,NaN => seconds.csv:2: found 'NaN', expected a number of"
            + " 0 or more",
        "seconds.csv => 2,get,104 => 2,get,6000000104 => seconds.csv:7: found second 6000000104, expected"
            + " one within 31 days of the first, 100",
        "seconds.csv => ,5000000000000 => '' => seconds.csv:2: found 9 cells, expected 10 cells",
        "seconds.csv => DROPPED => OTHER => seconds.csv:1: found a header without DROPPED and the"
            + " unknown column OTHER, expected",
        "steps.csv => 2,1000000000 => 3,1000000000 => steps.csv: found step 3, expected 1 to 2 as"
            + " in manifest.json",
        "steps.csv => 1,25 => 9999999999,25 => steps.csv:2: found 9999999999, expected at most"
            + " 2147483647",
        "errors.csv => ,7000000 => ,7.5 => errors.csv:2: found '7.5', expected a whole number of 0"
            + " or more",
        "errors.csv => no answer => \"no answer => errors.csv:2: found no CSV",
      })
  void damage_is_named_with_its_line(String file, String text, String damage, String message)
      throws IOException {
    replace(file, text, damage);
    assertUnreadable(message);
  }

  @Test
  void a_last_line_that_was_cut_off_by_a_kill_is_left_out() throws IOException {
    replace("manifest.json", "\"status\" : \"complete\"", "\"status\" : \"interrupted\"");
    Files.delete(file("steps.csv"));
    String text = Files.readString(file("seconds.csv"));
    Files.writeString(file("seconds.csv"), text.substring(0, text.length() - 20));

    ClientResults read = read();
    assertThat(read.truncated()).containsExactly("seconds.csv");
    assertThat(read.successCount()).isEqualTo(7);
    assertThat(read.totalSeconds()).as("whole seconds, as no step has ended").isEqualTo(5);

    String errors = Files.readString(file("errors.csv"));
    Files.writeString(file("errors.csv"), errors + "1,put,102,timeout,\"no\nans");
    assertThat(read().truncated()).containsExactly("seconds.csv", "errors.csv");
    assertThat(read().errorRows()).hasSize(1);
  }

  @Test
  void cut_tenths_are_named() throws IOException {
    TenthRow row = new TenthRow(1, "put", 1_000, 1_100, 4, 5, 6);
    TenthRow.FILE.append(directory.path(), List.of(row, row));
    String text = Files.readString(file("tenths.csv"));
    Files.writeString(file("tenths.csv"), text.substring(0, text.length() - 2));
    assertUnreadable("tenths.csv: found no line break at its end: the file was cut");

    replace("manifest.json", "\"status\" : \"complete\"", "\"status\" : \"interrupted\"");
    assertThat(IntactRun.read(directory.path()).tenths()).containsExactly(row);
    assertThat(read().truncated()).containsExactly("tenths.csv");
  }

  @Test
  void of_a_run_that_was_killed_before_anything_was_written_nothing_is_known() throws IOException {
    replace("manifest.json", "\"status\" : \"complete\"", "\"status\" : \"interrupted\"");
    for (String name : List.of("seconds.csv", "errors.csv", "steps.csv")) {
      Files.delete(file(name));
    }
    assertThat(IntactRun.read(directory.path()).clients()).isEmpty();
  }

  @Test
  void failures_without_a_message_are_counted_in_an_incomplete_run() throws IOException {
    replace("manifest.json", "\"status\" : \"complete\"", "\"status\" : \"interrupted\"");
    replace("errors.csv", "no answer,2", "no answer,1");
    assertThat(read().errors())
        .containsExactly(
            new ClientResults.ErrorCount("\"(unknown message)\"", 1),
            new ClientResults.ErrorCount("\"no answer\"", 1));
  }

  @Test
  void attempts_are_requests_and_conflicts() {
    directory = StmSteps.write(results);
    assertThat(file("attempts.csv")).hasContent("STEP,OPERATION,REQUESTS,CONFLICTS\n1,stm,2,5\n");
    assertThat(read().attempts()).containsExactly(new AttemptCounts(1, "stm", 2, 5));
    assertThat(read().attempts().get(0).attempts()).isEqualTo(7);
  }

  @Test
  void a_complete_run_with_transactions_has_their_attempts() throws IOException {
    directory = StmSteps.write(results);
    Files.delete(file("attempts.csv"));
    assertUnreadable("attempts.csv: found no such file");
  }

  private Path file(String name) {
    return directory.path().resolve(name);
  }

  private ClientResults read() {
    return IntactRun.read(directory.path()).clients().orElseThrow();
  }

  private void replace(String name, String text, String other) throws IOException {
    assertThat(Files.readString(file(name))).contains(text);
    Files.writeString(file(name), Files.readString(file(name)).replace(text, other));
  }

  private void assertUnreadable(String message) {
    assertThatThrownBy(() -> IntactRun.read(directory.path()))
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining(message);
  }
}
