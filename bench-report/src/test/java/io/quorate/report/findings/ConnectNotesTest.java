package io.quorate.report.findings;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.results.DatabaseRun;
import io.quorate.results.requests.OneShotSteps;
import io.quorate.results.requests.OperationSteps;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConnectNotesTest {
  @TempDir Path results;

  @Test
  void connecting_for_each_request_is_told() {
    assertThat(ConnectNotes.of(DatabaseRun.read(OneShotSteps.write(results).path())))
        .containsExactly(
            "etcd: connecting took 3.00 ms (p50) and 5.00 ms (p99), apart from the requests, each"
                + " of which had a connection of its own (step 1)");
  }

  @Test
  void nothing_is_said_of_connections_that_stay_open() {
    assertThat(ConnectNotes.of(DatabaseRun.read(OperationSteps.write(results).path()))).isEmpty();
  }
}
