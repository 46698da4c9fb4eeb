// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.requests;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.results.DatabaseDirectory;
import io.quorate.results.IntactRun;
import io.quorate.results.latency.LatencyLog;
import io.quorate.results.latency.LatencyTag;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of a run each of whose requests has a separate connection. */
class OneShotFilesTest {
  @TempDir Path results;

  @Test
  void connecting_is_in_the_log_apart_from_the_requests() throws IOException {
    DatabaseDirectory directory = OneShotSteps.write(results);
    assertThat(Files.readString(directory.latencyLog()))
        .contains("Tag=step=1;op=put,", "Tag=step=1;time=connect,");
    LatencyLog.Contents log = IntactRun.read(directory.path()).latencies();
    Histogram connects = log.byTag().get(LatencyTag.of(1, LatencyTag.Time.CONNECT));
    assertThat(connects.getTotalCount()).isEqualTo(2);
    assertThat(connects.valuesAreEquivalent(connects.getMaxValue(), 5_000_000)).isTrue();
    assertThat(log.all().getTotalCount()).isEqualTo(2);
  }

  @Test
  void connections_that_stay_open_are_not_in_the_log() throws IOException {
    assertThat(Files.readString(OperationSteps.write(results).latencyLog()))
        .doesNotContain("connect");
  }
}
