// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures.outage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quorate.history.RecordedRequest;
import io.quorate.history.RecordedRequest.Action;
import io.quorate.history.RecordedRequest.Outcome;
import io.quorate.results.FaultRecord;
import io.quorate.results.manifest.ServerInfo;
import io.quorate.results.manifest.StoreInfo;
import io.quorate.scenario.FaultPlan;
import io.quorate.store.server.TimeRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OutageTest {
  private static final long MS = 1_000_000;
  private static final long START = 10_000 * MS;

  private static final long UNIX_START = 1_700_000_000_000_000_000L;

  private final List<RecordedRequest> requests = new ArrayList<>();
  private final Map<Long, Long> dropped = new TreeMap<>();

  private static FaultRecord fault(String kind) {
    return new FaultRecord(
        1,
        FaultPlan.Kind.parse(kind).orElseThrow(),
        List.of("etcd-2"),
        UNIX_START,
        START,
        START + 10_000 * MS,
        START + 20_000 * MS,
        Optional.of("etcd-2"),
        Optional.of("etcd-1"),
        OptionalLong.of(START + 1_200 * MS),
        OptionalLong.empty(),
        OptionalLong.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** Adds a request; its times are milliseconds after the start of the fault. */
  private void add(int client, boolean read, long sentMs, long endMs, Outcome outcome) {
    add(client, read ? Action.GET : Action.PUT, sentMs, sentMs, endMs, outcome);
  }

  private void add(
      int client, Action action, long dueMs, long sentMs, long endMs, Outcome outcome) {
    requests.add(
        new RecordedRequest(
            client,
            0,
            action,
            1,
            action == Action.PUT ? requests.size() + 1 : RecordedRequest.ABSENT,
            RecordedRequest.ABSENT,
            RecordedRequest.ABSENT,
            START + dueMs * MS,
            START + sentMs * MS,
            START + endMs * MS,
            outcome,
            0));
  }

  private Outage outage() {
    return outage("kill-leader");
  }

  private Outage outage(String kind) {
    return Outage.of(
        fault(kind),
        RequestTimeline.of(requests, dropped, START - 5_000 * MS),
        OptionalLong.of(100),
        START - 8_000 * MS);
  }

  /** Adds puts every 10 ms that take as long as given, all by one client. */
  private void load(long fromMs, long untilMs, long durationMs) {
    for (long ms = fromMs; ms < untilMs; ms += 10) {
      add(1, false, ms, ms + durationMs, Outcome.OK);
    }
  }

  private static OutageTime after(double ms) {
    return new OutageTime(ms, true);
  }

  private static OutageTime beyond(double ms) {
    return new OutageTime(ms, false);
  }

  @Test
  void times_begin_with_the_fault_and_a_request_under_way_does_not_end_an_outage() {
    add(1, false, -20, -10, Outcome.OK);
    add(1, false, -5, 30, Outcome.OK); // was sent before the fault
    add(2, false, 50, 1_050, Outcome.UNKNOWN);
    add(2, false, 1_100, 1_430, Outcome.OK);
    add(1, false, 1_200, 2_000, Outcome.OK);
    for (long ms = 2_100; ms < 20_000; ms += 100) {
      add((int) (ms / 100 % 2) + 1, false, ms, ms + 5, Outcome.OK);
    }
    Outage found = outage();
    RequestGaps writes = found.writes().orElseThrow();
    assertThat(writes.first()).isEqualTo(after(1_430));
    assertThat(writes.longest()).isEqualTo(after(1_400)); // from 30 ms to 1,430 ms
    assertThat(writes.worstClient()).isEqualTo(after(1_970)); // client 1, from 30 to 2,000 ms
    assertThat(writes.medianClient()).isEqualTo(after(1_700)); // of 1,970 ms and 1,430 ms
    assertThat(writes.allBack()).isEqualTo(after(2_000));
    assertThat(found.elected()).contains(after(1_200));
    assertThat(found.serving()).isEqualTo(beyond(20_000));
    assertThat(found.unknown()).isEqualTo(1);
    assertThat(found.reads()).isEmpty();
    assertThat(found.staleReads()).isEmpty();
    assertThat(found.calmP99()).contains(after(10));
  }

  @Test
  void clients_of_the_warm_up_are_not_those_of_the_load() {
    for (long ms = -9_000; ms < -8_000; ms += 10) {
      add(7, false, ms, ms + 500, Outcome.OK); // slower than the load
    }
    load(-5_000, 20_000, 5);
    Outage found = outage();
    RequestGaps writes = found.writes().orElseThrow();
    assertThat(writes.worstClient()).isEqualTo(after(10));
    assertThat(writes.medianClient()).isEqualTo(after(10));
    assertThat(writes.allBack()).isEqualTo(after(5));
    assertThat(found.calmP99()).contains(after(5));
  }

  @Test
  void a_client_whose_last_request_has_no_result_is_not_back() {
    add(2, false, -100, -90, Outcome.OK);
    requests.add(
        new RecordedRequest(
            2,
            0,
            Action.PUT,
            1,
            1_000_000,
            RecordedRequest.ABSENT,
            RecordedRequest.ABSENT,
            START - 50 * MS,
            START - 50 * MS,
            RecordedRequest.NEVER,
            Outcome.UNKNOWN,
            0));
    load(-5_000, 20_000, 5);
    assertThat(outage().writes().orElseThrow().worstClient()).isEqualTo(beyond(20_000));
  }

  @Test
  void an_outage_that_does_not_end_is_longer_than_what_was_observed() {
    add(1, false, 100, 5_100, Outcome.UNKNOWN);
    add(1, true, 100, 5_100, Outcome.FAILED);
    Outage found = outage();
    RequestGaps writes = found.writes().orElseThrow();
    assertThat(writes.first()).isEqualTo(beyond(20_000));
    assertThat(writes.longest()).isEqualTo(beyond(20_000));
    assertThat(writes.longest().text()).isEqualTo("> 20.0 s");
    assertThat(writes.worstClient()).isEqualTo(beyond(20_000));
    assertThat(writes.allBack()).isEqualTo(beyond(20_000));
    assertThat(found.failed()).isEqualTo(1);
    assertThat(found.p99()).contains(beyond(5_000));
    assertThat(found.stable()).isEmpty(); // nothing is known of the time before
    assertThat(found.longestResponse()).isEmpty();
  }

  @Test
  void a_client_without_any_request_after_the_fault_is_not_back() {
    add(2, false, -20, -10, Outcome.OK);
    load(0, 20_000, 5);
    RequestGaps writes = outage().writes().orElseThrow();
    assertThat(writes.allBack()).isEqualTo(beyond(20_000));
    assertThat(writes.worstClient()).isEqualTo(beyond(20_000));
    assertThat(writes.longest()).isEqualTo(after(10));
  }

  @Test
  void stale_reads_are_separate_from_linearizable_ones() {
    add(1, Action.STALE_GET, 100, 100, 105, Outcome.OK);
    add(1, Action.GET, 100, 100, 2_000, Outcome.OK);
    Outage found = outage();
    assertThat(found.staleReads().orElseThrow().first()).isEqualTo(after(105));
    assertThat(found.reads().orElseThrow().first()).isEqualTo(after(2_000));
    assertThat(found.writes()).isEmpty();
  }

  @Test
  void responses_and_late_requests_count_from_the_scheduled_time() {
    load(-1_000, 0, 5);
    add(1, Action.PUT, 500, 1_400, 1_501, Outcome.OK); // 1,001 ms after it was due
    add(1, Action.PUT, 500, 500, 1_500, Outcome.OK); // 1,000 ms
    add(1, Action.PUT, 600, 600, 700, Outcome.UNKNOWN);
    dropped.put(1_700_000_003L, 48L);
    dropped.put(1_700_000_020L, 1_000L); // after its end
    Outage found = outage();
    assertThat(found.late()).isEqualTo(50);
    assertThat(found.lost()).contains(after(500)); // at 100 requests/s
    assertThat(found.dropped()).isEqualTo(48);
    assertThat(found.longestResponse()).contains(after(1_001));
    assertThat(found.calmP99()).contains(after(5));
  }

  @Test
  void the_longest_response_is_longer_than_a_request_that_timed_out() {
    add(1, false, 100, 900, Outcome.OK);
    add(1, false, 100, 5_100, Outcome.UNKNOWN);
    assertThat(outage().longestResponse()).contains(beyond(5_000));
  }

  @Test
  void a_store_is_stable_when_five_seconds_are_as_before() {
    load(-10_000, 0, 10);
    load(0, 1_500, 25); // more than twice the time before
    load(1_500, 4_000, 10);
    load(4_000, 4_100, 500); // within the five seconds after the first slow ones
    load(4_100, 20_000, 10);
    assertThat(outage().stable()).contains(after(4_100));
  }

  @Test
  void a_store_with_failed_requests_is_not_stable() {
    load(-10_000, 0, 10);
    load(0, 20_000, 10);
    for (long ms = 0; ms < 20_000; ms += 500) {
      add(1, false, ms, ms + 1, Outcome.FAILED); // 2 of 102 in a second
    }
    assertThat(outage().stable()).contains(beyond(15_000));
  }

  @Test
  void a_store_is_not_stable_while_requests_are_dropped() {
    load(-10_000, 20_000, 10);
    dropped.put(1_700_000_002L, 1L);
    assertThat(outage().stable()).contains(after(3_000));
  }

  @Test
  void a_store_is_not_stable_while_a_client_waits() {
    load(-10_000, 20_000, 10);
    add(2, false, 0, 9_500, Outcome.OK); // the other requests are as fast as before
    assertThat(outage().stable()).contains(after(9_500));
  }

  @Test
  void a_store_is_not_stable_while_the_load_is_behind() {
    for (long ms = -10_000; ms < 20_000; ms += 10) {
      long late = ms < 7_000 ? 1_200 : 0; // before the fault as well
      add(1, Action.PUT, ms, ms + late, ms + late + 5, Outcome.OK);
    }
    assertThat(outage().stable()).contains(after(8_200));
  }

  @ParameterizedTest
  @CsvSource({"false", "true"})
  void a_store_is_not_stable_while_writes_stop(boolean fail) {
    load(-10_000, 0, 10);
    for (long ms = -10_000; ms < 20_000; ms++) {
      add(2, true, ms, ms + 10, Outcome.OK);
    }
    if (fail) {
      for (long ms = 0; ms < 6_000; ms += 200) {
        add(1, false, ms, ms + 1, Outcome.FAILED);
      }
    }
    load(6_000, 20_000, 10);
    // a third of a second after writes continue, a second has a third of the usual number
    assertThat(outage().stable()).contains(after(fail ? 5_900 : 5_400));
  }

  @Test
  void failed_dropped_and_unanswered_requests_are_the_slowest() {
    load(0, 9_900, 5);
    assertThat(outage().p99()).contains(after(5));
    for (long ms = 0; ms < 11; ms++) {
      add(2, false, ms, ms + 1, Outcome.FAILED); // at once
    }
    assertThat(outage().p99()).contains(beyond(5));
    requests.subList(990, 1_001).clear();
    dropped.put(1_700_000_003L, 11L);
    assertThat(outage().p99()).contains(beyond(5));
  }

  @Test
  void a_new_leader_leads_at_the_latest_when_writes_continue() {
    add(1, false, -5, 30, Outcome.OK);
    add(1, false, 900, 1_100, Outcome.OK);
    load(1_200, 20_000, 5);
    assertThat(outage().elected()).contains(after(1_100)); // a member reported it after 1,200 ms
    assertThat(outage("transfer-leader").elected()).contains(after(1_200));
  }

  @Test
  void maintenance_is_compared_with_an_equally_long_time_before() {
    load(-10_000, -3_000, 5);
    load(-2_700, 1_000, 5);
    load(1_040, 9_000, 5);
    load(12_000, 20_000, 5); // later than 8 s after the start
    assertThat(outage("compact").calm())
        .contains(new Outage.Calm(8_000 * MS, after(310), after(50)));
    assertThat(outage().calm()).isEmpty();
    assertThat(OutageMetric.LENGTH.of(outage())).contains(after(10_000));
  }

  @Test
  void the_course_of_a_fault_has_rates_of_a_quarter_of_a_second() {
    load(-5_000, 0, 5);
    add(1, false, 0, 100, Outcome.OK);
    add(1, false, 10, 260, Outcome.UNKNOWN);
    OutageCurve curve = outage().curve();
    assertThat(curve.seconds()).hasSize(100).startsWith(-4.875).endsWith(19.875);
    assertThat(curve.acknowledged()[19]).isEqualTo(100);
    assertThat(curve.acknowledged()[20]).isEqualTo(4); // one in 250 ms
    assertThat(curve.p99Ms()[20]).isEqualTo(100);
    assertThat(curve.errors()[21]).isEqualTo(4);
    assertThat(curve.p99Ms()[21]).isNaN();
  }

  @Test
  void the_median_of_outages_is_a_lower_bound_if_some_did_not_end() {
    assertThat(OutageSpread.of(List.of(after(3_000), after(1_000), after(1_200))))
        .get()
        .extracting(OutageSpread::text)
        .isEqualTo("1.20 s (1.00 to 3.00)");
    assertThat(OutageSpread.of(List.of(beyond(20_000), after(1_000))))
        .get()
        .extracting(OutageSpread::text)
        .isEqualTo("> 10.5 s (1.00 s to > 20.0 s)");
    assertThat(OutageSpread.of(List.of())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "etcd, , kill-leader, 1000, 2500",
    "etcd, election-timeout=500, kill-leader, 500, 1500",
    "etcd, election-timeout=500ms, pause-leader, 500, 1500",
    "etcd, election-timeout=2s, kill-leader, 2000, 4500",
    "zookeeper, tickTime=1m, pause-leader 600s, 300000, 302500",
    "zookeeper, tickTime=1_000, pause-leader 30s, 5000, 7500",
    "zookeeper, , kill-leader, 200, 2500",
    "zookeeper, , pause-leader 30s, 10000, 12500",
    "zookeeper, syncLimit=2, pause-leader 30s, 4000, 6500",
    "zookeeper, , pause-leader, 5000, 5500",
    "consul, , kill-leader, 1000, 2500",
    "consul, raft_multiplier=5, kill-leader, 5000, 10500",
    "etcd, , kill-follower, 0, 500",
    "etcd, , kill-majority, 10000, 17500",
    "etcd, , isolate-leader, 1000, 2500",
    "etcd, , isolate-leader-in, 2000, 4500",
    "zookeeper, , isolate-leader 20s, 10000, 12500",
    "zookeeper, , isolate-leader, 10000, 12500",
    "zookeeper, , isolate-leader-out 5s, 5000, 5500",
    "zookeeper, , isolate-leader-reset, 200, 2500",
    "consul, raft_multiplier=2, isolate-leader-in, 3000, 5500",
    "etcd, , reset-leader, 0, 500",
    "zookeeper, , reset-leader, 200, 2500",
    "consul, , clients-off-leader, 0, 500",
    "consul, , slow-leader, 0, 500"
  })
  void the_expected_outage_follows_from_the_settings(
      String store, String setting, String fault, double least, double most) {
    Map<String, String> settings =
        setting == null ? Map.of() : Map.of(setting.split("=")[0], setting.split("=")[1]);
    ServerInfo servers =
        new ServerInfo(
            Optional.empty(),
            List.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            List.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    TimeRange expected =
        ExpectedOutage.of(
                new StoreInfo(store, store, servers, settings),
                FaultPlan.Kind.parse(fault).orElseThrow())
            .orElseThrow();
    assertThat(expected.leastMs()).isCloseTo(least, within(1e-9));
    assertThat(expected.mostMs()).isCloseTo(most, within(1e-9));
  }
}
