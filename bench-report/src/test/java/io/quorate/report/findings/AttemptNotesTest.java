package io.quorate.report.findings;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.results.DatabaseRun;
import io.quorate.results.requests.OperationSteps;
import io.quorate.results.requests.StmSteps;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AttemptNotesTest {
  @TempDir private Path results;

  @Test
  void attempts_and_conflicts_stand_below_the_table() {
    assertThat(AttemptNotes.of(DatabaseRun.read(StmSteps.write(results).path())))
        .containsExactly(
            "etcd: 2 stm requests took 7 attempts, of which 5 met another client's write (step 1)");
  }

  @Test
  void other_requests_have_no_such_note() {
    assertThat(AttemptNotes.of(DatabaseRun.read(OperationSteps.write(results).path()))).isEmpty();
  }
}
