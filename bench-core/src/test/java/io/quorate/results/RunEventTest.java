// SPDX-License-Identifier: Apache-2.0
package io.quorate.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunEventTest {
  private static final RunEvent STALL = RunEvent.stall(2, 1_000, 3_000, 7);
  private static final RunEvent GAP = RunEvent.noSuccess(2, 1_500, 5_000);

  @TempDir Path directory;
  private DatabaseDirectory database;

  @BeforeEach
  void create() throws IOException {
    database = new DatabaseDirectory(Files.createDirectory(directory.resolve("etcd")));
  }

  @Test
  void without_events_there_is_no_file() {
    RunEvent.append(database, List.of());
    assertThat(RunEvent.FILE.file(database)).doesNotExist();
    assertThat(RunEvent.FILE.read(database)).isEmpty();
  }

  @Test
  void events_are_appended_one_in_each_line_and_read_again() throws IOException {
    RunEvent.append(database, List.of(STALL));
    RunEvent.append(database, List.of(GAP));
    assertThat(RunEvent.FILE.file(database))
        .hasContent(
            """
            {"kind":"load-generator-stall","source":"load generator","step":2,"startUnixNanos":1000,"endUnixNanos":3000,"dropped":7,"text":""}
            {"kind":"no-success","source":"clients","step":2,"startUnixNanos":1500,"endUnixNanos":5000,"dropped":0,"text":""}
            """);
    assertThat(RunEvent.FILE.read(database)).containsExactly(STALL, GAP);
  }

  @Test
  void a_last_line_that_a_kill_has_cut_off_is_left_out() throws IOException {
    RunEvent.append(database, List.of(STALL));
    Files.writeString(RunEvent.FILE.file(database), "{\"kind\":\"no-su", StandardOpenOption.APPEND);
    assertThat(RunEvent.FILE.read(database)).containsExactly(STALL);
  }

  @Test
  void a_line_that_is_no_event_is_named() throws IOException {
    for (String line :
        List.of(
            "{\"kind\":\"no-success\",\"source\":\"clients\",\"step\":1,\"startUnixNanos\":2,\"endUnixNanos\":1,\"dropped\":0,\"text\":\"\"}",
            "{\"kind\":\"other\",\"source\":\"clients\",\"step\":1,\"startUnixNanos\":1,\"endUnixNanos\":2,\"dropped\":0,\"text\":\"\"}",
            "{\"kind\":\"no-success\",\"source\":\"clients\",\"step\":1,\"endUnixNanos\":2,\"dropped\":0,\"text\":\"\"}",
            "{}",
            "garbage")) {
      Files.writeString(RunEvent.FILE.file(database), "");
      RunEvent.append(database, List.of(STALL));
      Files.writeString(RunEvent.FILE.file(database), line + "\n", StandardOpenOption.APPEND);
      assertThatThrownBy(() -> RunEvent.FILE.read(database))
          .isInstanceOf(QuorateException.class)
          .hasMessageStartingWith(RunEvent.FILE.file(database) + ":2:")
          .hasMessageMatching("(?s).*(expected|expecting) .*");
    }
  }

  @Test
  void the_overlap_of_two_events_is_the_time_of_both() {
    assertThat(STALL.overlapNanos(GAP)).isEqualTo(1_500);
    assertThat(GAP.overlapNanos(STALL)).isEqualTo(1_500);
    assertThat(STALL.overlapNanos(RunEvent.noSuccess(2, 3_000, 9_000))).isZero();
  }
}
