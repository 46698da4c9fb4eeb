// SPDX-License-Identifier: Apache-2.0
package io.quorate.history;

import static io.quorate.history.Requests.compareAndSet;
import static io.quorate.history.Requests.delete;
import static io.quorate.history.Requests.get;
import static io.quorate.history.Requests.put;
import static io.quorate.history.Requests.staleGet;
import static io.quorate.history.Requests.unknownPut;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.history.RecordedRequest.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JepsenHistoryTest {
  @TempDir private Path directory;

  @Test
  void each_key_has_an_array_of_events_in_the_order_of_their_times() throws IOException {
    JepsenHistory.write(
        directory,
        List.of(
            put(0, 17, 41, 10, 30),
            get(1, 17, 41, 20, 40),
            staleGet(1, 17, 41, 50, 60),
            compareAndSet(1, 17, 41, 42, 70, 80, Outcome.OK),
            compareAndSet(0, 17, 41, 43, 75, 85, Outcome.MISMATCH),
            delete(0, 5, 0, 10, Outcome.OK)));

    assertThat(Files.readString(directory.resolve("key-17.json")))
        .isEqualTo(
            """
            [{"index":0,"type":"invoke","process":2,"f":"write","value":0,"time":0},
            {"index":1,"type":"ok","process":2,"f":"write","value":0,"time":0},
            {"index":2,"type":"invoke","process":0,"f":"write","value":41,"time":10},
            {"index":3,"type":"invoke","process":1,"f":"read","time":20},
            {"index":4,"type":"ok","process":0,"f":"write","value":41,"time":30},
            {"index":5,"type":"ok","process":1,"f":"read","value":41,"time":40},
            {"index":6,"type":"invoke","process":1,"f":"cas","value":[41,42],"time":70},
            {"index":7,"type":"invoke","process":0,"f":"cas","value":[41,43],"time":75},
            {"index":8,"type":"ok","process":1,"f":"cas","value":[41,42],"time":80},
            {"index":9,"type":"fail","process":0,"f":"cas","value":[41,43],"time":85}]
            """);
    assertThat(directory.resolve("key-5.json")).content().contains("\"f\":\"write\",\"value\":0");
  }

  @Test
  void a_compare_and_set_without_its_expected_value_writes() throws IOException {
    JepsenHistory.write(
        directory, List.of(compareAndSet(0, 17, 41, 42, 10, 20, Outcome.OK).withoutExpected()));

    assertThat(directory.resolve("key-17.json"))
        .content()
        .contains("\"type\":\"ok\",\"process\":0,\"f\":\"write\",\"value\":42")
        .doesNotContain("cas");
  }

  @Test
  void a_client_continues_as_another_process_after_an_unknown_outcome() throws IOException {
    JepsenHistory.write(
        directory,
        List.of(
            unknownPut(0, 17, 41, 10),
            put(0, 17, 42, 20, 30, Outcome.UNKNOWN),
            get(0, 17, 42, 40, 50)));

    assertThat(Files.readString(directory.resolve("key-17.json")))
        .isEqualTo(
            """
            [{"index":0,"type":"invoke","process":1,"f":"write","value":0,"time":0},
            {"index":1,"type":"ok","process":1,"f":"write","value":0,"time":0},
            {"index":2,"type":"invoke","process":0,"f":"write","value":41,"time":10},
            {"index":3,"type":"invoke","process":2,"f":"write","value":42,"time":20},
            {"index":4,"type":"info","process":2,"f":"write","value":42,"time":30},
            {"index":5,"type":"invoke","process":4,"f":"read","time":40},
            {"index":6,"type":"ok","process":4,"f":"read","value":42,"time":50}]
            """);
  }
}
