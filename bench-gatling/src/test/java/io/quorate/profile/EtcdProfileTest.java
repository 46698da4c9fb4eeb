// SPDX-License-Identifier: Apache-2.0
package io.quorate.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.scenario.Scenario;
import io.quorate.scenario.yaml.ScenarioReader;
import io.quorate.store.Operation;
import io.quorate.store.etcd.EtcdTraffic;
import io.quorate.store.etcd.EtcdTraffic.Counter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Loads of 10 s, whose counters follow from them. */
class EtcdProfileTest {
  private static final EtcdTraffic START = new EtcdTraffic(Map.of());

  private static String text(OptionalInt keySize, EtcdTraffic... members) {
    List<EtcdTraffic> start = List.of(members).stream().map(each -> START).toList();
    EtcdObservation.Result result =
        new EtcdObservation.Result(start, List.of(members), Duration.ofSeconds(10), 123);
    return new EtcdProfile(result, members.length, keySize).profile().scenario();
  }

  private static Scenario read(String text) {
    return ScenarioReader.read("mine.yaml", text, 1);
  }

  @Test
  void gets_and_puts_of_several_members_are_added_up() {
    // keys of 40 bytes, values of 400; each member applies all puts, and some have no answer yet
    Map<Counter, Double> first =
        Map.of(
            Counter.PUTS, 1000.0,
            Counter.RANGES, 3000.0,
            Counter.APPLIED_PUTS, 1500.0,
            Counter.APPLIED_PUT_BYTES, 1500 * 440.0,
            Counter.RECEIVED_PUTS, 1800.0,
            Counter.RECEIVED_RANGES, 3100.0,
            Counter.RECEIVED_BYTES, 1800 * 445.0 + 3100 * 42.0,
            Counter.SENT_BYTES, 1000 * 30.0 + 3000 * 487.0,
            Counter.KEYS, 5000.0);
    Map<Counter, Double> second =
        Map.of(
            Counter.PUTS, 500.0,
            Counter.RANGES, 1500.0,
            Counter.APPLIED_PUTS, 1490.0,
            Counter.APPLIED_PUT_BYTES, 1490 * 440.0,
            Counter.RECEIVED_PUTS, 500.0,
            Counter.RECEIVED_RANGES, 1500.0,
            Counter.RECEIVED_BYTES, 500 * 445.0 + 1500 * 42.0,
            Counter.SENT_BYTES, 500 * 30.0 + 1500 * 487.0,
            Counter.KEYS, 4999.0);
    EtcdTraffic idle = new EtcdTraffic(Map.of());
    String text = text(OptionalInt.empty(), new EtcdTraffic(first), new EtcdTraffic(second), idle);
    Scenario scenario = read(text);

    assertThat(scenario.requests().mix().toString()).isEqualTo("25% put, 75% get");
    assertThat(text).contains("rate: 600/s", "The highest rate between two readings was 123/s.");
    assertThat(scenario.requests().keys().sizeBytes()).isEqualTo(40);
    assertThat(scenario.requests().values()).hasToString("400 bytes");
    assertThat(scenario.requests().keys().count()).isEqualTo(5000);
    assertThat(scenario.cluster().members()).isEqualTo(3);
  }

  @Test
  void large_answers_are_ranges() {
    EtcdTraffic traffic =
        new EtcdTraffic(
            Map.of(
                Counter.PUTS, 100.0,
                Counter.RANGES, 1000.0,
                Counter.APPLIED_PUTS, 100.0,
                Counter.APPLIED_PUT_BYTES, 100 * 200.0,
                Counter.SENT_BYTES, 1100 * 30.0 + 1000 * 120 * 217.0,
                Counter.KEYS, 5000.0));
    Scenario scenario = read(text(OptionalInt.of(20), traffic));
    assertThat(scenario.requests().mix().has(Operation.RANGE)).isTrue();
    assertThat(scenario.requests().mix().range().keys()).isEqualTo(100);
    assertThat(text(OptionalInt.of(20), traffic))
        .contains(
            "# measured: etcd_debugging_mvcc_total_put_size_in_bytes per put, without the key")
        .contains("# derived: etcd_network_client_grpc_sent_bytes_total: about 120 keys");
    assertThat(scenario.requests().values()).hasToString("180 bytes");
  }

  @Test
  void transactions_leases_and_compactions_are_kept_and_deletes_left_out() {
    String text =
        text(
            OptionalInt.empty(),
            new EtcdTraffic(
                Map.ofEntries(
                    Map.entry(Counter.PUTS, 101.0),
                    Map.entry(Counter.TXNS, 200.0),
                    Map.entry(Counter.DELETES, 50.0),
                    Map.entry(Counter.COMPACTIONS, 1.0),
                    Map.entry(Counter.LEASE_KEEPALIVES, 300.0),
                    Map.entry(Counter.APPLIED_PUTS, 501.0),
                    Map.entry(Counter.APPLIED_PUT_BYTES, 501 * 100.0),
                    Map.entry(Counter.REVISION, 5000.0),
                    Map.entry(Counter.COMPACTED_REVISION, 2000.0),
                    Map.entry(Counter.GRANTED_LEASES, 70.0),
                    Map.entry(Counter.REVOKED_LEASES, 20.0),
                    Map.entry(Counter.LEASE_SECONDS, 70 * 40.0),
                    Map.entry(Counter.LEASES_WITH_SECONDS, 70.0),
                    Map.entry(Counter.WATCHERS, 12.0),
                    Map.entry(Counter.KEYS, 300.0))));
    Scenario scenario = read(text);
    assertThat(scenario.requests().mix().operations())
        .containsExactly(
            Operation.PUT, Operation.TXN, Operation.COMPACT, Operation.LEASE_KEEPALIVE);
    assertThat(scenario.requests().mix().putsPerTxn()).isEqualTo(2);
    assertThat(scenario.requests().mix().revisionsKept()).isEqualTo(3000);
    assertThat(scenario.requests().mix().leases().count()).isEqualTo(50);
    assertThat(scenario.requests().mix().leases().ttlSeconds()).isEqualTo(40);
    assertThat(text)
        .contains("Left out: 5.00/s deletes", "Left out: 12 watchers")
        .contains("assumed: these requests do not tell it; pass --key-size")
        .contains("size: 50 # assumed: etcd_debugging_mvcc_total_put_size_in_bytes per put")
        .doesNotContain("# measured: etcd_debugging_mvcc_total_put_size");
  }

  @Test
  void what_etcd_does_not_report_is_assumed() {
    String text =
        text(OptionalInt.empty(), new EtcdTraffic(Map.of(Counter.PUTS, 100.0, Counter.TXNS, 50.0)));
    assertThat(text)
        .contains("# assumed: etcd reported no sizes")
        .contains("# assumed: etcd_debugging_mvcc_keys_total is 0 or not reported")
        .contains("# assumed: etcd_mvcc_put_total did not grow")
        .doesNotContain("derived");
  }

  @Test
  void watchers_of_puts_are_kept() {
    Scenario scenario =
        read(
            text(
                OptionalInt.empty(),
                new EtcdTraffic(
                    Map.of(
                        Counter.PUTS, 1000.0,
                        Counter.APPLIED_PUTS, 1000.0,
                        Counter.APPLIED_PUT_BYTES, 1000 * 300.0,
                        Counter.WATCHERS, 12.0,
                        Counter.WATCH_STREAMS, 3.0,
                        Counter.KEYS, 300.0))));
    assertThat(scenario.isWatched()).isTrue();
    assertThat(scenario.databases().get(0).steps().get(0).watch().orElseThrow())
        .hasToString("12 watchers on 3 streams");
  }

  @Test
  void watchers_are_left_out_if_values_are_too_small() {
    assertThat(text(OptionalInt.of(8), watched(12, 1000))).contains("Left out: 5 watchers");
    assertThat(read(text(OptionalInt.of(8), watched(300, 1000))).isWatched()).isTrue();
    assertThat(read(text(OptionalInt.empty(), watched(40, 1000))).isWatched()).isTrue();
  }

  private static EtcdTraffic watched(double bytes, double puts) {
    return new EtcdTraffic(
        Map.of(
            Counter.PUTS,
            puts,
            Counter.APPLIED_PUTS,
            puts,
            Counter.APPLIED_PUT_BYTES,
            puts * bytes,
            Counter.WATCHERS,
            5.0,
            Counter.WATCH_STREAMS,
            1.0,
            Counter.KEYS,
            300.0));
  }

  @Test
  void the_size_of_the_cluster_is_reported_by_a_member() {
    EtcdTraffic one =
        new EtcdTraffic(
            Map.of(Counter.PUTS, 1000.0, Counter.APPLIED_PUTS, 1000.0, Counter.PEERS, 2.0));
    String text = text(OptionalInt.empty(), one);
    assertThat(text)
        .contains("The cluster has 3 members; requests to the others are not included.");
    assertThat(read(text).cluster().members()).isEqualTo(3);
  }

  @Test
  void an_idle_cluster_is_refused() {
    assertThatThrownBy(() -> text(OptionalInt.empty(), START))
        .hasMessageStartingWith("found 0 requests in 10s, expected at least one in a second");
  }
}
