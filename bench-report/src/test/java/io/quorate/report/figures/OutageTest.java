package io.quorate.report.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quorate.history.RecordedRequest;
import io.quorate.history.RecordedRequest.Action;
import io.quorate.history.RecordedRequest.Outcome;
import io.quorate.results.FaultRecord;
import io.quorate.results.manifest.ServerInfo;
import io.quorate.results.manifest.StoreInfo;
import io.quorate.scenario.FaultPlan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OutageTest {
  private static final long MS = 1_000_000;
  private static final long START = 10_000 * MS;

  private final List<RecordedRequest> requests = new ArrayList<>();

  private static FaultRecord fault() {
    return new FaultRecord(
        1,
        FaultPlan.Kind.parse("kill-leader").orElseThrow(),
        List.of("etcd-2"),
        0,
        START,
        START + 10_000 * MS,
        START + 20_000 * MS,
        Optional.of("etcd-2"),
        Optional.of("etcd-1"),
        OptionalLong.of(START + 1_200 * MS),
        OptionalLong.empty(),
        OptionalLong.empty(),
        Optional.empty());
  }

  /** Adds a request; its times are milliseconds after the start of the fault. */
  private void add(int client, boolean read, long sentMs, long endMs, Outcome outcome) {
    requests.add(
        new RecordedRequest(
            client,
            read ? Action.GET : Action.PUT,
            1,
            read ? RecordedRequest.ABSENT : requests.size() + 1,
            RecordedRequest.ABSENT,
            RecordedRequest.ABSENT,
            START + sentMs * MS,
            START + endMs * MS,
            outcome,
            0));
  }

  private Outage outage() {
    requests.sort(Comparator.comparingLong(RecordedRequest::completedNanos));
    return Outage.of(fault(), requests);
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
    assertThat(found.writes().firstMs()).hasValue(1_430);
    assertThat(found.writes().longestMs()).hasValue(1_400); // from 30 ms to 1,430 ms
    assertThat(found.writes().worstClientMs()).hasValue(1_970); // client 1, from 30 ms to 2,000 ms
    assertThat(found.writes().allBackMs()).hasValue(2_000);
    assertThat(found.electedMs()).hasValue(1_200);
    assertThat(found.servingMs()).isEmpty();
    assertThat(found.unknown()).isEqualTo(1);
    assertThat(found.reads().firstMs()).isEmpty();
    assertThat(found.reads().longestMs()).isEmpty();
    assertThat(found.calmP99Ms()).hasValue(10);
  }

  @Test
  void an_outage_that_does_not_end_is_missing_and_not_zero() {
    add(1, false, 100, 5_100, Outcome.UNKNOWN);
    add(1, true, 100, 5_100, Outcome.FAILED);
    Outage found = outage();
    assertThat(found.writes().firstMs()).isEmpty();
    assertThat(found.writes().longestMs()).isEmpty();
    assertThat(found.writes().worstClientMs()).hasValue(20_000);
    assertThat(found.writes().allBackMs()).isEmpty();
    assertThat(found.failed()).isEqualTo(1);
    assertThat(found.p99Ms()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "etcd, , kill-leader, 1000, 2500",
    "etcd, election-timeout=500, kill-leader, 500, 1500",
    "etcd, election-timeout=500ms, pause-leader, 500, 1500",
    "zookeeper, , kill-leader, 200, 1000",
    "zookeeper, , pause-leader 30s, 10000, 11000",
    "zookeeper, syncLimit=2, pause-leader 30s, 4000, 5000",
    "zookeeper, , pause-leader, 5000, 5500",
    "consul, , kill-leader, 1000, 2500",
    "consul, raft_multiplier=5, kill-leader, 5000, 10500",
    "etcd, , kill-follower, 0, 500",
    "etcd, , kill-majority, 10000, 17500",
    "etcd, , isolate-leader, 1000, 2500",
    "etcd, , isolate-leader-in, 2000, 4500",
    "zookeeper, , isolate-leader 20s, 10000, 11000",
    "zookeeper, , isolate-leader-out 5s, 5000, 5500",
    "zookeeper, , isolate-leader-reset, 200, 1000",
    "consul, raft_multiplier=2, isolate-leader-in, 3000, 5500",
    "etcd, , reset-leader, 0, 500",
    "zookeeper, , reset-leader, 200, 1000",
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
            Optional.empty());
    ExpectedOutage expected =
        ExpectedOutage.of(
                new StoreInfo(store, store, servers, settings),
                FaultPlan.Kind.parse(fault).orElseThrow())
            .orElseThrow();
    assertThat(expected.leastMs()).isCloseTo(least, within(1e-9));
    assertThat(expected.mostMs()).isCloseTo(most, within(1e-9));
  }
}
