// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.measure.EventCounts;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.IntactRun;
import io.quorate.results.RunDirectory;
import io.quorate.results.manifest.Manifests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchRowTest {
  @TempDir Path results;
  private DatabaseDirectory etcd;
  private Path file;

  @BeforeEach
  void writeRun() {
    etcd = WatchedSteps.write(RunDirectory.create(results, "quick", 1, Manifests.START), "etcd");
    file = etcd.path().resolve("watch.csv");
  }

  @Test
  void a_row_is_written_for_each_step_and_read_again() {
    assertThat(file)
        .hasContent(
            """
            STEP,WATCHERS,STREAMS,CREATED-NANOS,EXPECTED,DELIVERED,COALESCED,LOST,DUPLICATED,REORDERED,EARLY,INTERRUPTIONS,DRAIN-NANOS
            1,1,1,2000000,4,4,0,0,0,0,3,0,5000000
            2,10,5,30000000,40,30,6,4,2,1,20,10,5000000
            """);
    assertThat(IntactRun.read(etcd.path()).watches())
        .containsExactly(
            new WatchRow(1, 1, 1, 2_000_000, new EventCounts(4, 4, 0, 0, 0, 0, 3, 0), 5_000_000),
            new WatchRow(
                2, 10, 5, 30_000_000, new EventCounts(40, 30, 6, 4, 2, 1, 20, 10), 5_000_000));
  }

  @Test
  void events_that_do_not_add_up_are_refused_with_their_position() throws IOException {
    Files.writeString(file, Files.readString(file).replace("40,30,6,4", "40,30,6,5"));
    assertThatThrownBy(() -> IntactRun.read(etcd.path()))
        .isInstanceOf(QuorateException.class)
        .hasMessage(file + ":3: 40 events are not 30 + 6 + 5");
  }
}
