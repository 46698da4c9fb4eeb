// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.quorate.store.consul.ConsulInternals;
import io.quorate.store.etcd.EtcdInternals;
import io.quorate.store.server.Figure;
import io.quorate.store.server.ServerHistograms;
import io.quorate.store.zookeeper.ZooKeeperInternals;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Text that comes from elsewhere: of the kernel and of servers. */
class ParsersTest {
  private static final double INFINITE = Double.POSITIVE_INFINITY;

  @TempDir Path directory;

  private static Optional<ThreadCounts.Counts> counts(String status) {
    return ThreadCounts.parse(status, "3345595 742984 3\n");
  }

  @Test
  void context_switches_are_read_from_a_status_file() {
    assertThat(
            counts("Name:\tx\nvoluntary_ctxt_switches:\t150\nnonvoluntary_ctxt_switches:\t545\n"))
        .contains(new ThreadCounts.Counts(150, 545, 742_984));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\nvoluntary_ctxt_switches:",
        "\nvoluntary_ctxt_switches:\t1\n",
        "\nvoluntary_ctxt_switches:\t1\nnonvoluntary_ctxt_switches:\t-2\n",
        "\nvoluntary_ctxt_switches:\t1\nnonvoluntary_ctxt_switches:\t2x\n",
        "\nvoluntary_ctxt_switches:\t1\nnonvoluntary_ctxt_switches:\t99999999999999999999\n"
      })
  void a_status_file_that_does_not_tell_both_tells_nothing(String text) {
    assertThat(counts(text)).isEmpty();
  }

  @Test
  void threads_that_have_ended_still_count() throws IOException {
    ThreadCounts tasks = new ThreadCounts(directory);
    thread("1", 10, 1, "5 100 2");
    thread("2", 20, 2, "5 200 2");
    assertThat(tasks.read()).isEqualTo(new ThreadCounts.Counts(30, 3, 300));
    Files.delete(directory.resolve("2/status"));
    thread("1", 15, 1, "5 110 2");
    assertThat(tasks.read()).isEqualTo(new ThreadCounts.Counts(35, 3, 310));
    thread("2", 1, 0, "5 1 2");
    assertThat(tasks.read()).isEqualTo(new ThreadCounts.Counts(36, 3, 311));
    thread("2", 0, 0, "5 0 2");
    assertThat(tasks.read()).isEqualTo(new ThreadCounts.Counts(36, 3, 311));
  }

  @Test
  void without_statistics_of_scheduling_waiting_is_unknown_and_not_zero() throws IOException {
    thread("1", 10, 1, "");
    ThreadCounts.Counts counts = new ThreadCounts(directory).read();
    assertThat(counts.voluntary()).isEqualTo(10);
    assertThat(counts.waitMillis()).isNegative();
    assertThat(ThreadCounts.parse(status(1, 2), "0 99999999999999999999 1"))
        .contains(new ThreadCounts.Counts(1, 2, -1));
  }

  private void thread(String task, long voluntary, long involuntary, String schedstat)
      throws IOException {
    Path thread = Files.createDirectories(directory.resolve(task));
    Files.writeString(thread.resolve("status"), status(voluntary, involuntary));
    Files.writeString(thread.resolve("schedstat"), schedstat);
  }

  private static String status(long voluntary, long involuntary) {
    return "Name:\tx\nvoluntary_ctxt_switches:\t"
        + voluntary
        + "\nnonvoluntary_ctxt_switches:\t"
        + involuntary
        + "\n";
  }

  @Test
  void a_pressure_is_the_time_in_which_some_waited() {
    assertThat(
            Machine.Pressure.millis(
                """
                some avg10=63.28 avg60=79.04 avg300=71.19 total=481708947
                full avg10=0.00 avg60=0.00 avg300=0.00 total=21
                """))
        .isEqualTo(481_708);
    assertThat(Machine.Pressure.millis("full avg10=0.00 avg60=0.00 avg300=0.00 total=21\n"))
        .isNegative();
    assertThat(Machine.Pressure.millis("")).isNegative();
  }

  @Test
  void a_program_may_have_any_name() {
    String others = " 27370 27370 17363 0 -1 4194304 56405 486 0 0 506 30 0 0 20 0 22 0 112944\n";
    assertThat(ProcessStat.parse("27374 (a) R (b\n) T" + others))
        .contains(new ProcessStat("a) R (b\n", 'T', 5_360))
        .get()
        .matches(ProcessStat::isStopped);
    assertThat(ProcessStat.parse("27374 (java) S" + others))
        .get()
        .matches(process -> !process.isStopped());
    assertThat(ProcessStat.parse("27374 (java) S 27370 27370")).isEmpty();
  }

  @Test
  void a_line_of_disk_statistics_is_read() {
    assertThat(
            DiskReading.ofLine(
                " 254       0 vda 222484 29820 14890658 147495 2835615 516277 45468504 446509 0"
                    + " 288024"))
        .contains(
            new DiskReading("vda", 222484, 14890658, 147495, 2835615, 45468504, 446509, 288024));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "254 0 vda 1 2 3",
        "254 0 vda 1 2 3 4 5 6 7 x 9 10",
        "254 0 vda 1 2 3 4 -5 6 7 8 9 10",
        "254 0 vda 99999999999999999999 2 3 4 5 6 7 8 9 10"
      })
  void other_lines_of_disk_statistics_are_none(String line) {
    assertThat(DiskReading.ofLine(line)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"65024,254,0", "2049,8,1", "1048832,1,256", "66304,259,0"})
  void device_numbers_are_taken_apart(long device, long major, long minor) {
    assertThat(BlockDevice.major(device)).isEqualTo(major);
    assertThat(BlockDevice.minor(device)).isEqualTo(minor);
  }

  private static ServerHistograms.Buckets buckets(double... boundsAndCounts) {
    SortedMap<Double, Double> counts = new TreeMap<>();
    for (int i = 0; i < boundsAndCounts.length; i += 2) {
      counts.put(boundsAndCounts[i], boundsAndCounts[i + 1]);
    }
    return new ServerHistograms.Buckets(counts);
  }

  @Test
  void quantiles_are_on_the_line_between_the_bounds_of_a_bucket() {
    ServerHistograms.Buckets buckets = buckets(1, 0, 2, 50, 4, 100, INFINITE, 100);
    assertThat(buckets.quantile(0.5)).hasValue(2);
    assertThat(buckets.quantile(0.75)).hasValue(3);
    assertThat(buckets.quantile(0.25)).hasValue(1.5);
    assertThat(buckets.since(buckets(1, 0, 2, 50, 4, 50, INFINITE, 50)).quantile(0.5)).hasValue(3);
  }

  @Test
  void a_quantile_above_all_finite_bounds_is_the_highest_of_them() {
    assertThat(buckets(1, 1, 2, 2, INFINITE, 100).quantile(0.99)).hasValue(2);
  }

  @Test
  void without_values_there_is_no_quantile() {
    assertThat(buckets().quantile(0.5)).isEmpty();
    assertThat(buckets(1, 0, INFINITE, 0).quantile(0.5)).isEmpty();
    assertThat(buckets(1, 5, 2, 3, INFINITE, 9).quantile(0.9)).isEmpty();
    ServerHistograms.Buckets restarted =
        buckets(1, 1, INFINITE, 1).since(buckets(1, 9, INFINITE, 9));
    assertThat(restarted.quantile(0.5)).isEmpty();
  }

  @Test
  void the_highest_value_is_between_the_bounds_of_the_highest_bucket_with_a_new_one() {
    ServerHistograms.Buckets before = buckets(1, 1, 2, 2, 4, 2, 8, 3, INFINITE, 3);
    ServerHistograms.Buckets after = buckets(1, 1, 2, 2, 4, 4, 8, 5, INFINITE, 5);
    assertThat(after.highest()).contains(new ServerHistograms.Highest(4, 8));
    assertThat(after.since(before).highest()).contains(new ServerHistograms.Highest(2, 4));
    assertThat(after.since(after).highest()).isEmpty();
    assertThat(buckets(1, 1, INFINITE, 1).highest()).contains(new ServerHistograms.Highest(0, 1));
    assertThat(buckets(1, 1, 2, 1, INFINITE, 2).highest())
        .contains(new ServerHistograms.Highest(2, 2));
    assertThat(buckets(1, 5, 2, 3, INFINITE, 9).highest()).isEmpty();
    assertThat(buckets().highest()).isEmpty();
  }

  @Test
  void buckets_of_several_labels_are_added_up() {
    ServerHistograms histograms = new ServerHistograms();
    Map<String, Double> figures = new TreeMap<>();
    for (int round = 0; round < 2; round++) {
      for (int peer = 0; peer < 2; peer++) {
        histograms.take("rtt", "8", round);
        histograms.take("rtt", "16", 2 * round);
        histograms.take("rtt", "+Inf", 2 * round);
      }
      histograms.end(figures);
    }
    assertThat(figures)
        .containsEntry("rtt_p50", 8.0)
        .containsEntry("rtt_max", 16.0)
        .containsEntry("rtt_max_from", 8.0);
  }

  @Test
  void etcd_tells_quantiles_of_the_time_since_the_last_answer() {
    EtcdInternals etcd = new EtcdInternals();
    String name = "etcd_disk_wal_fsync_duration_seconds";
    assertThat(etcd.parsed(fsyncs(name, 7, 7))).doesNotContainKey(name + "_p50");
    assertThat(etcd.parsed(fsyncs(name, 7, 17)))
        .containsEntry(name + "_p50", 0.0015)
        .containsEntry(name + "_max", 0.002)
        .containsEntry(name + "_max_from", 0.001)
        .containsEntry(name + "_count", 17.0)
        .containsEntry(name + "_sum", 0.25);
    assertThat(etcd.parsed(fsyncs(name, 7, 17))).doesNotContainKey(name + "_p50");
  }

  @Test
  void etcd_tells_the_round_trips_to_all_peers_together() {
    EtcdInternals etcd = new EtcdInternals();
    String name = "etcd_network_peer_round_trip_time_seconds";
    assertThat(etcd.parsed(roundTrips(3, 5)))
        .containsEntry(name + "_count", 8.0)
        .containsEntry(name + "_sum", 0.75);
    assertThat(etcd.parsed(roundTrips(3, 15)))
        .containsEntry(name + "_count", 18.0)
        .containsEntry(name + "_max", 0.0128)
        .containsEntry(name + "_max_from", 0.0064)
        .containsEntry("process_open_fds", 20.0)
        .containsEntry("go_gc_duration_seconds_sum", 0.01)
        .containsEntry("etcd_network_peer_sent_bytes_total", 1000.0)
        .doesNotContainKey("go_gc_duration_seconds");
  }

  private static String roundTrips(int toOne, int toOther) {
    return """
    # TYPE etcd_network_peer_round_trip_time_seconds histogram
    etcd_network_peer_round_trip_time_seconds_bucket{To="1913f84f7e19ead3",le="0.0064"} %1$d
    etcd_network_peer_round_trip_time_seconds_bucket{To="1913f84f7e19ead3",le="0.0128"} %1$d
    etcd_network_peer_round_trip_time_seconds_bucket{To="1913f84f7e19ead3",le="+Inf"} %1$d
    etcd_network_peer_round_trip_time_seconds_sum{To="1913f84f7e19ead3"} 0.25
    etcd_network_peer_round_trip_time_seconds_count{To="1913f84f7e19ead3"} %1$d
    etcd_network_peer_round_trip_time_seconds_bucket{To="3ad74ce8e9b93b37",le="0.0064"} 5
    etcd_network_peer_round_trip_time_seconds_bucket{To="3ad74ce8e9b93b37",le="0.0128"} %2$d
    etcd_network_peer_round_trip_time_seconds_bucket{To="3ad74ce8e9b93b37",le="+Inf"} %2$d
    etcd_network_peer_round_trip_time_seconds_sum{To="3ad74ce8e9b93b37"} 0.5
    etcd_network_peer_round_trip_time_seconds_count{To="3ad74ce8e9b93b37"} %2$d
    etcd_network_peer_sent_bytes_total{To="3ad74ce8e9b93b37"} 1000
    go_gc_duration_seconds{quantile="1"} 0.002
    go_gc_duration_seconds_sum 0.01
    go_gc_duration_seconds_count 12
    process_open_fds 20
    """
        .formatted(toOne, toOther);
  }

  private static String fsyncs(String name, int first, int all) {
    return name
        + "_bucket{le=\"0.001\"} "
        + first
        + "\n"
        + name
        + "_bucket{le=\"0.002\"} "
        + all
        + "\n"
        + name
        + "_bucket{le=\"+Inf\"} "
        + all
        + "\n"
        + name
        + "_sum 0.25\n"
        + name
        + "_count "
        + all
        + "\n"
        + "etcd_server_proposals_pending NaN\n"
        + "etcd_mvcc_db_total_size_in_bytes 2.048e+04\n";
  }

  @Test
  void zookeeper_tells_names_and_numbers() {
    assertThat(
            ZooKeeperInternals.parsed(
                """
                Zookeeper version: 3.9.5-2b1f2f0, built on 2025-07-18 18:09 UTC
                Latency min/avg/max: 0/0.5/1e999
                Received: 12
                Sent: eleven
                Outstanding:
                Zxid: 0x100000002
                Mode: leader
                Node count: 5
                Proposal sizes last/min/max: 48/48/48
                """))
        .containsOnly(
            Map.entry("zk_min_latency", 0.0),
            Map.entry("zk_avg_latency", 0.5),
            Map.entry("zk_packets_received", 12.0),
            Map.entry("zk_znode_count", 5.0));
  }

  @Test
  void zookeeper_tells_how_long_a_sync_took_since_it_was_last_asked() {
    var internals = new ZooKeeperInternals();
    assertThat(internals.parsedAll(mntr(10, 10, "10")))
        .containsOnly(Map.entry("zk_avg_latency", 0.5), Map.entry("zk_cnt_fsynctime", 10.0));
    assertThat(internals.parsedAll(mntr(10, 110, "110")))
        .containsEntry("zk_fsynctime_p50", 1.5)
        .containsEntry("zk_fsynctime_p99", 1.99)
        .containsEntry("zk_fsynctime_max", 2.0)
        .containsEntry("zk_fsynctime_max_from", 1.0)
        .doesNotContainKey("zk_quorum_ack_latency_p99");
    assertThat(internals.parsedAll(mntr(10, 110, "110"))).doesNotContainKey("zk_fsynctime_p99");
    assertThat(internals.parsedAll(mntr(20, 110, "much"))).doesNotContainKey("zk_fsynctime_p99");
    assertThat(internals.parsedAll(mntr(4, 4, "4"))).doesNotContainKey("zk_fsynctime_p99");
  }

  private static String mntr(int below1ms, int below2ms, String all) {
    return """
    zk_version\t3.9.5-a2b9a2b, built on 2026-01-01 10:00 UTC
    zk_avg_latency\t0.5
    zk_cnt_fsynctime\t%s
    zk_cnt_mykey_write_per_namespace\t1
    zk_fsynctime_bucket_1\t%d
    zk_fsynctime_bucket_2\t%d
    zk_fsynctime_bucket_x\t7
    zk_fsynctime_bucket_+Inf\t%s
    zk_max_latency
    """
        .formatted(all, below1ms, below2ms, all);
  }

  @Test
  void consul_tells_json_with_the_name_of_its_host_in_it() throws IOException {
    assertThat(
            new ConsulInternals()
                .parsed(
                    """
                    {"Gauges": [{"Name": "consul.my.host.runtime.num_goroutines", "Value": 130, "Labels": {}},
                                {"Name": "consul.host.server.isLeader", "Value": "yes", "Labels": {}}],
                     "Counters": [{"Name": "consul.raft.apply", "Sum": 12, "Labels": {}}],
                     "Samples": [{"Name": "consul.raft.commitTime", "Count": 3, "Mean": 0.5, "Max": 0.75, "Labels": {}}]}
                    """))
        .containsOnly(
            Map.entry("consul.runtime.num_goroutines", 130.0),
            Map.entry("consul.raft.apply.sum", 12.0),
            Map.entry("consul.raft.commitTime.count", 3.0),
            Map.entry("consul.raft.commitTime.mean", 0.5),
            Map.entry("consul.raft.commitTime.max", 0.75));
  }

  @Test
  void consul_tells_prometheus_without_labels_and_without_what_is_no_number() {
    assertThat(
            ConsulInternals.parsedPrometheus(
                """
                # TYPE consul_raft_apply counter
                consul_raft_apply 8
                consul_runtime_alloc_bytes 1.8597072e+07
                consul_raft_commitTime{quantile="0.5"} 0.40506500005722046
                consul_raft_commitTime{quantile="0.9"} 0.5
                consul_raft_commitTime{quantile="0.99"} NaN
                consul_raft_commitTime_sum 4.417916983366013
                consul_raft_commitTime_count 10
                consul_fsm_kvs_count{op="set"} 4
                consul_unheard_of 1
                consul_raft_apply
                """))
        .containsOnly(
            Map.entry("consul_raft_apply", 8.0),
            Map.entry("consul_runtime_alloc_bytes", 18_597_072.0),
            Map.entry("consul_raft_commitTime_p50", 0.40506500005722046),
            Map.entry("consul_raft_commitTime_sum", 4.417916983366013),
            Map.entry("consul_raft_commitTime_count", 10.0));
  }

  @Test
  void consul_names_its_host_in_gauges_and_placeholders_of_zero_are_no_values() throws IOException {
    String answer;
    try (InputStream file = getClass().getResourceAsStream("consul-1.22.7-with-host-names.txt")) {
      answer = new String(file.readAllBytes(), StandardCharsets.UTF_8);
    }
    Map<String, Double> found = ConsulInternals.parsedPrometheus(answer);
    assertThat(found)
        .containsEntry("consul_raft_last_index", 1_162.0)
        .containsEntry("consul_runtime_total_gc_pause_ns", 13_787_204.0)
        .containsEntry("consul_server_isLeader", 1.0)
        .containsEntry("consul_state_kv_entries", 0.0) // with a label
        .containsEntry("consul_raft_apply", 1_157.0)
        .containsEntry("consul_client_rpc_exceeded", 0.0)
        .containsEntry("consul_raft_commitTime_count", 1_161.0)
        .doesNotContainKey("consul_raft_fsm_lastRestoreDuration");
    assertThat(ConsulInternals.parsedPrometheus(answer.replace("consul_", "my_kv_")))
        .isEqualTo(found);
    assertThat(
            ConsulInternals.parsedPrometheus(answer.replace("consul_vm_", "consul_ip_10_0_0_1_")))
        .isEqualTo(found);
  }

  @Test
  void what_a_filter_of_consul_excludes_is_not_zero() {
    assertThat(
            ConsulInternals.parsedPrometheus(
                """
                consul_client_rpc 0
                consul_client_rpc_exceeded 0
                consul_raft_apply 0
                consul_raft_leader_oldestLogAge 0
                consul_raft_state_follower 1
                consul_raft_commitTime_count 0
                consul_runtime_num_goroutines 0
                """))
        .containsOnly(
            Map.entry("consul_raft_apply", 0.0), Map.entry("consul_raft_commitTime_count", 0.0));
  }

  @Test
  void a_metric_of_consul_that_only_has_parts_with_labels_is_their_sum() {
    assertThat(
            ConsulInternals.parsedPrometheus(
                """
                consul_rpc_request 0
                consul_rpc_request{kind="read"} 2
                consul_rpc_request{kind="write"} 3
                consul_raft_apply 8
                consul_raft_apply{kind="read"} 5
                consul_kvs_apply{kind="set",quantile="0.99"} 0.5
                consul_kvs_apply_sum{kind="set"} 4
                """))
        .containsOnly(
            Map.entry("consul_rpc_request", 5.0),
            Map.entry("consul_raft_apply", 8.0),
            Map.entry("consul_kvs_apply_p99", 0.5),
            Map.entry("consul_kvs_apply_sum", 4.0));
  }

  @Test
  void consul_tells_json_with_another_prefix() throws IOException {
    assertThat(
            new ConsulInternals()
                .parsed(
                    """
                    {"Gauges": [{"Name": "my.kv.vm.state.kv_entries", "Value": 7, "Labels": {"datacenter": "dc1"}}],
                     "Counters": [{"Name": "my.kv.raft.apply", "Sum": 12, "Labels": {}}]}
                    """))
        .containsOnly(
            Map.entry("consul.state.kv_entries", 7.0), Map.entry("consul.raft.apply.sum", 12.0));
  }

  @Test
  void consul_tells_the_requests_to_all_peers_together() throws IOException {
    assertThat(
            ConsulInternals.parsedPrometheus(
                """
                consul_raft_replication_heartbeat{peer_id="13caf9ee",quantile="0.5"} 0.25
                consul_raft_replication_heartbeat{peer_id="13caf9ee",quantile="0.99"} 14.5
                consul_raft_replication_heartbeat_sum{peer_id="13caf9ee"} 33.5
                consul_raft_replication_heartbeat_count{peer_id="13caf9ee"} 28
                consul_raft_replication_heartbeat{peer_id="85e2917b",quantile="0.5"} NaN
                consul_raft_replication_heartbeat{peer_id="85e2917b",quantile="0.99"} 120.5
                consul_raft_replication_heartbeat_sum{peer_id="85e2917b"} 137.25
                consul_raft_replication_heartbeat_count{peer_id="85e2917b"} 29
                consul_raft_replication_heartbeat_85e2917b_count 29
                consul_rpc_rate_limit_exceeded{limit_type="global/write",op="KVS.Apply"} 2
                consul_rpc_rate_limit_exceeded{limit_type="global/read",op="KVS.Get"} 3
                """))
        .containsOnly(
            Map.entry("consul_raft_replication_heartbeat_p50", 0.25),
            Map.entry("consul_raft_replication_heartbeat_p99", 120.5),
            Map.entry("consul_raft_replication_heartbeat_sum", 170.75),
            Map.entry("consul_raft_replication_heartbeat_count", 57.0),
            Map.entry("consul_rpc_rate_limit_exceeded", 5.0));
    assertThat(
            new ConsulInternals()
                .parsed(
                    """
                    {"Samples": [
                      {"Name": "consul.raft.replication.heartbeat", "Count": 65, "Mean": 0.25, "Max": 2.5, "Labels": {"peer_id": "1"}},
                      {"Name": "consul.raft.replication.heartbeat", "Count": 66, "Mean": 0.5, "Max": 1.5, "Labels": {"peer_id": "2"}},
                      {"Name": "consul.fsm.kvs", "Count": 2, "Mean": 0.5, "Max": 4, "Labels": {"op": "set"}}]}
                    """))
        .containsOnly(
            Map.entry("consul.raft.replication.heartbeat.count", 131.0),
            Map.entry("consul.raft.replication.heartbeat.mean", 0.5),
            Map.entry("consul.raft.replication.heartbeat.max", 2.5));
  }

  @Property(seed = "1", tries = 500)
  void no_text_at_all_breaks_a_parser(@ForAll String text) {
    assertThatCode(
            () -> {
              counts(text);
              ThreadCounts.parse(status(1, 1), text);
              Machine.Pressure.millis("some total=" + text);
              ProcessStat.parse("1 (x) S" + text);
              ThrottledTime.ControlGroups.nanos("throttled_usec " + text);
              ThrottledTime.ControlGroups.file(text, text);
              DiskReading.ofLine(text);
              ZooKeeperInternals.parsed("Received: " + text);
              new ZooKeeperInternals()
                  .parsedAll("zk_cnt_fsynctime\t" + text + "\nzk_fsynctime_bucket_" + text);
              new EtcdInternals().parsed("etcd_server_has_leader " + text + "\netcd_" + text);
              new EtcdInternals()
                  .parsed("etcd_disk_wal_fsync_duration_seconds_bucket{le=\"" + text + "\"} 1");
              ConsulInternals.parsedPrometheus("consul_raft_apply" + text);
              Figure.parse(text);
            })
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({"1e20,100000000000000000000", "0.000001,0.000001", "-0.0,0", "2.048e4,20480", "5,5"})
  void figures_have_no_exponent(String told, String published) {
    assertThat(Figure.text(Figure.parse(told).getAsDouble())).isEqualTo(published);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "NaN", "+Inf", "1e999", "1e21", "0x1p3", "1 ", "١", "1f"})
  void what_no_server_can_mean_is_no_figure(String told) {
    assertThat(Figure.parse(told)).isEmpty();
  }
}
