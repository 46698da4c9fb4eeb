// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quorate.network.Link;
import io.quorate.network.Topology;
import io.quorate.network.ZonePair;
import io.quorate.report.study.ZoneModel.Measured;
import io.quorate.report.study.ZoneModel.Prediction;
import io.quorate.store.RequestPath;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class ZoneModelTest {
  private static final RequestPath WRITE = new RequestPath(1, 1, true);
  private static final Measured ONE = measured(1, 500, 2);
  private static final Measured HUNDRED = measured(100, 10_000, 10);

  @Test
  void a_write_takes_a_round_trip_to_a_majority_more() {
    Prediction found = predict(ONE, apart(10, 10, 10), 1, List.of(1), 0);

    assertThat(found.p50Ms()).isEqualTo(12, within(0.01));
    assertThat(found.p99Ms()).isEqualTo(12, within(0.01));
    assertThat(found.requestsPerSecond()).isEqualTo(1000 / 12.0, within(0.1));
  }

  @Test
  void the_nearer_follower_decides() {
    assertThat(predict(ONE, apart(10, 80, 70), 1, List.of(1), 0).p50Ms())
        .isEqualTo(12, within(0.01));
    assertThat(predict(ONE, apart(10, 80, 70), 3, List.of(3), 0).p50Ms())
        .isEqualTo(72, within(0.1));
  }

  @Test
  void a_write_through_a_follower_takes_the_round_trip_to_the_leader_in_addition() {
    assertThat(predict(ONE, apart(10, 80, 70), 1, List.of(3), 0).p50Ms())
        .isEqualTo(92, within(0.1));
  }

  @Test
  void the_leader_syncs_while_it_waits_for_followers() {
    // alone on one machine: max(S, min(S, S)) = 7/6 S; apart: 10 ms + min(S, S) = 10 ms + S / 2
    Prediction found = predict(ONE, apart(10, 10, 10), 1, List.of(1), 0.6);

    assertThat(1000 / found.requestsPerSecond()).isEqualTo(2 + 10 - 0.4, within(0.02));
  }

  @Test
  void jitter_is_that_of_the_faster_follower() {
    Link link = new Link(10_000_000, 4_000_000, OptionalLong.empty(), Optional.empty());
    Topology topology = new Topology("own", List.of("a", "a", "a"), Optional.empty(), inZone(link));
    Prediction found = predict(ONE, topology, 1, List.of(1), 0);

    // the lesser of two sums of two uniform times up to 2 ms: x * x / 8 of them are below x
    assertThat(found.p50Ms()).isEqualTo(12 + Math.sqrt(8 * (1 - Math.sqrt(0.5))), within(0.03));
  }

  @Test
  void requests_that_wait_for_the_network_keep_no_member_busy() {
    Prediction busy = predict(HUNDRED, apart(0, 0, 0), 1, List.of(1), 0);
    Prediction apart = predict(HUNDRED, apart(1000, 1000, 1000), 1, List.of(1), 0);

    assertThat(busy.requestsPerSecond()).isEqualTo(10_000, within(1.0));
    assertThat(busy.p50Ms()).isEqualTo(10, within(0.01));
    assertThat(apart.requestsPerSecond()).isEqualTo(100 / 1.002, within(0.1));
    assertThat(apart.p50Ms()).isEqualTo(1002, within(0.1));
  }

  @Test
  void fewer_requests_come_from_clients_of_a_far_member() {
    Map<ZonePair, Link> links = Map.ofEntries(pair("a", "b", 98), pair("a", "c", 8));
    Topology topology = new Topology("own", List.of("a", "b", "c"), Optional.of("a"), links);
    Measured two = measured(2, 1000, 2);

    Prediction found =
        new ZoneModel(List.of(two), RequestPath.OWN, 0).predict(two, topology, 1, List.of(2, 3));

    assertThat(found.requestsPerSecond()).isEqualTo(1000 / 100.0 + 1000 / 10.0, within(0.1));
    assertThat(found.p50Ms()).isEqualTo(10, within(0.01));
    assertThat(found.p99Ms()).isEqualTo(100, within(0.1));
  }

  @Test
  void a_constant_rate_stays() {
    Measured open = new Measured("200/s", 0, 10, 200, ONE.quantilesMs());

    assertThat(new ZoneModel(List.of(), WRITE, 0).predict(open, apart(5, 5, 5), 1, List.of(1)))
        .isEqualTo(new Prediction("200/s", p50(5), p50(5), 200));
  }

  private static double p50(double roundTripMs) {
    return ONE.quantilesMs().get(0) + roundTripMs;
  }

  private static Prediction predict(
      Measured step, Topology topology, int leader, List<Integer> asked, double syncMs) {
    return new ZoneModel(List.of(HUNDRED, ONE), WRITE, syncMs)
        .predict(step, topology, leader, asked);
  }

  private static Measured measured(int clients, double perSecond, long ms) {
    Histogram times = new Histogram(3);
    times.recordValueWithCount(ms * 1_000_000, 1000);
    return Measured.of(clients + " clients", clients, clients, perSecond, times);
  }

  private static Topology apart(long ab, long ac, long bc) {
    return new Topology(
        "own",
        List.of("a", "b", "c"),
        Optional.empty(),
        Map.ofEntries(pair("a", "b", ab), pair("a", "c", ac), pair("b", "c", bc)));
  }

  private static Map.Entry<ZonePair, Link> pair(String one, String other, long ms) {
    return Map.entry(new ZonePair(one, other), Link.of(Duration.ofMillis(ms)));
  }

  private static Map<ZonePair, Link> inZone(Link link) {
    return Map.of(new ZonePair("a", "a"), link);
  }
}
