// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.results.hosts.MemberSeries;
import io.quorate.store.server.ServerCourse;
import io.quorate.stores.Stores;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ServerCoursesTest {
  private static final long FIRST = 1_000;

  @Test
  void aMeanIsTheGrowthOfTheSumsByThatOfTheCountsOfAllMembers() {
    Map<ServerCourse, double[]> courses =
        courses(
            "zookeeper",
            List.of(
                row(-1, 1, "zk_sum_fsynctime", 10),
                row(-1, 1, "zk_cnt_fsynctime", 5),
                row(-1, 2, "zk_sum_fsynctime", 0),
                row(-1, 2, "zk_cnt_fsynctime", 0),
                row(0, 1, "zk_sum_fsynctime", 16),
                row(0, 1, "zk_cnt_fsynctime", 7),
                row(0, 2, "zk_sum_fsynctime", 2),
                row(0, 2, "zk_cnt_fsynctime", 2),
                row(0, 1, "zk_outstanding_requests", 3),
                row(0, 2, "zk_outstanding_requests", 8)));
    assertThat(courses)
        .containsOnlyKeys(ServerCourse.SERVER_LOG_SYNC_MS, ServerCourse.SERVER_QUEUE);
    assertThat(courses.get(ServerCourse.SERVER_LOG_SYNC_MS)).containsExactly(2, Double.NaN);
    assertThat(courses.get(ServerCourse.SERVER_QUEUE)).containsExactly(8, Double.NaN);
  }

  @Test
  void changesOfTheLeaderAreShownIfThereWereSome() {
    String metric = "etcd_server_leader_changes_seen_total";
    assertThat(courses("etcd", List.of(row(0, 1, metric, 1), row(1, 1, metric, 1)))).isEmpty();
    assertThat(
            courses("etcd", List.of(row(0, 1, metric, 1), row(1, 1, metric, 2)))
                .get(ServerCourse.SERVER_LEADER_CHANGES))
        .containsExactly(Double.NaN, 1);
  }

  private static Map<ServerCourse, double[]> courses(String store, List<Row> rows) {
    MemberSeries reported = new MemberSeries();
    rows.forEach(row -> reported.put(row.second(), row.member(), row.metric(), row.value()));
    return new ServerCourses(reported, FIRST, 2).of(Stores.knowledge(store).courses());
  }

  private record Row(long second, int member, String metric, double value) {}

  private static Row row(long second, int member, String metric, double value) {
    return new Row(FIRST + second, member, metric, value);
  }
}
