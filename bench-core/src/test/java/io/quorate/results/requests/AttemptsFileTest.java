package io.quorate.results.requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.DatabaseRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code attempts.csv} of a run whose requests are tried until they succeed. */
class AttemptsFileTest {
  @TempDir Path results;
  private DatabaseDirectory directory;

  @BeforeEach
  void writeRun() {
    directory = StmSteps.write(results);
  }

  @Test
  void attempts_are_requests_and_conflicts() throws IOException {
    assertThat(directory.path().resolve("attempts.csv"))
        .hasContent("STEP,OPERATION,REQUESTS,ATTEMPTS,CONFLICTS\n1,stm,2,7,5\n");
    assertThat(DatabaseRun.readIntact(directory.path()).clients().orElseThrow().attempts())
        .containsExactly(new AttemptCounts(1, "stm", 2, 5));
  }

  @Test
  void other_runs_have_no_such_file() {
    assertThat(OperationSteps.write(results).path().resolve("attempts.csv")).doesNotExist();
  }

  @Test
  void a_complete_run_must_have_it() throws IOException {
    Files.delete(directory.path().resolve("attempts.csv"));
    assertUnreadable("attempts.csv: found no such file");
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      value = {
        "1,stm,2,7,5 => 1,stm,2,8,5 => :2: found 8 attempts, expected 7, the requests and the"
            + " conflicts",
        "1,stm,2,7,5 => 1,stm,3,8,5 => attempts.csv: found 3 requests of step 1, stm, that ended,"
            + " expected 2",
        "1,stm,2,7,5 => 1,put,2,7,5 => :2: found \"put\", expected stm as the operations in"
            + " manifest.json",
        "1,stm,2,7,5 => 2,stm,2,7,5 => :2: found step 2, expected 1 to 1 as in manifest.json",
      })
  void damage_is_named(String text, String damage, String message) throws IOException {
    Path file = directory.path().resolve("attempts.csv");
    Files.writeString(file, Files.readString(file).replace(text, damage));
    assertUnreadable(message);
  }

  private void assertUnreadable(String message) {
    assertThatThrownBy(() -> DatabaseRun.readIntact(directory.path()))
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining(message);
  }
}
