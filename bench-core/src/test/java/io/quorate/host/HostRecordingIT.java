// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.quorate.NightlyRun;
import io.quorate.cluster.Await;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.Member;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.cluster.TestServers;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.hosts.HostFiles;
import io.quorate.results.hosts.HostMeasurements;
import io.quorate.results.hosts.MemberSeries;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.Login;
import io.quorate.store.Store;
import io.quorate.store.consul.ConsulInternals;
import io.quorate.store.consul.ConsulStore;
import io.quorate.store.etcd.EtcdInternals;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.memory.MemoryStore;
import io.quorate.store.zookeeper.ZooKeeperInternals;
import io.quorate.store.zookeeper.ZooKeeperStore;
import io.quorate.tls.CertificateAuthority;
import io.quorate.tls.ClientTls;
import io.quorate.tls.TlsFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
@SuppressWarnings("try") // a recording may be closed by hand, and again
class HostRecordingIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  @TempDir Path directory;

  private DatabaseDirectory results() throws IOException {
    return new DatabaseDirectory(Files.createDirectories(directory.resolve("results")));
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  @Test
  @RequiresDatabase("etcd")
  void a_run_on_etcd_leaves_all_files() throws IOException {
    records(
        EtcdStore.STORE,
        3,
        "etcd",
        "etcd_disk_wal_fsync_duration_seconds_count",
        "etcd_disk_backend_commit_duration_seconds_sum",
        "etcd_server_leader_changes_seen_total",
        "etcd_server_proposals_pending",
        "etcd_mvcc_db_total_size_in_bytes",
        "etcd_server_apply_duration_seconds_count",
        "etcd_server_quota_backend_bytes",
        "process_open_fds");
  }

  @Test
  @RequiresDatabase("consul")
  void a_run_on_consul_leaves_all_files_from_the_first_seconds_on() throws IOException {
    records(
        ConsulStore.STORE,
        3,
        "consul",
        "consul_raft_applied_index",
        "consul_raft_apply",
        "consul_raft_commitTime_count",
        "consul_runtime_num_goroutines",
        "consul_raft_replication_appendEntries_rpc_count",
        "consul_raft_fsm_lastRestoreDuration",
        "consul_client_rpc_exceeded");
  }

  @Test
  void a_run_on_zookeeper_leaves_all_files() throws IOException {
    records(
        ZooKeeperStore.STORE,
        NightlyRun.isOn() ? 3 : 1,
        "java",
        "zk_avg_latency",
        "zk_outstanding_requests",
        "zk_znode_count",
        "zk_packets_received",
        "zk_packets_sent",
        "zk_cnt_fsynctime",
        "zk_cnt_quorum_ack_latency",
        "zk_sum_jvm_pause_time_ms",
        "zk_jvm_memory_bytes_used",
        "zk_jvm_gc_collection_seconds_count",
        "zk_open_file_descriptor_count",
        "zk_sum_election_time");
  }

  private void records(Store database, int members, String program, String... metrics)
      throws IOException {
    DatabaseDirectory results = results();
    HostFiles files = new HostFiles(results);
    try (Cluster cluster = TestServers.start(database, members, directory.resolve("cluster"));
        HostRecording recording =
            HostRecording.start(
                database,
                cluster.members(),
                () -> 42,
                results,
                new HostRecording.Scope(Optional.empty(), Optional.empty(), 1, 1),
                Access.PLAIN,
                Clock.systemUTC())) {
      Await.until(
          "each member is heard three times",
          LIMIT,
          () ->
              cluster.members().stream()
                  .map(member -> "," + member.index() + "," + metrics[0] + ",")
                  .allMatch(
                      metric ->
                          text(files.internals())
                                  .lines()
                                  .filter(line -> line.contains(metric))
                                  .count()
                              > 2));
      Await.until(
          "each has three rows",
          LIMIT,
          () ->
              cluster.members().stream()
                  .allMatch(
                      member ->
                          GoldenMetrics.read(files.server(member.index())).rows().size() > 2));
      recording.diskUsage();
      recording.close();
      // on a busy machine a server may not answer within 500 ms
      assertThat(recording.remarks())
          .filteredOn(
              remark ->
                  !remark.endsWith(
                      "metrics of the server are missing for some seconds: does not answer in"
                          + " time"))
          .isEmpty();
      for (Member member : cluster.members()) {
        GoldenMetrics.MetricsFile raw = GoldenMetrics.read(files.server(member.index()));
        assertThat(raw.rows())
            .allMatch(row -> row.cell(HostMetric.PROGRAM).equals(program))
            .allMatch(row -> row.cell(HostMetric.PID).equals(member.pids().get(0).toString()))
            .allMatch(row -> row.cell(HostMetric.EXTRA).equals("42"));
      }
      assertThat(GoldenMetrics.read(files.client()).rows())
          .allMatch(row -> row.cell(HostMetric.EXTRA).isEmpty());
      List<String> usage = text(files.diskUsage()).lines().toList();
      assertThat(usage).hasSize(1 + members);
      assertThat(usage.get(0))
          .isEqualTo("INDEX,DATABASE-ENDPOINT,DISK-SPACE-USAGE,DISK-SPACE-USAGE-BYTES-NUM");
      assertThat(usage.get(1))
          .matches("0,127\\.0\\.0\\.1:\\d+,[0-9.]+ [kMG]?B,[1-9]\\d*")
          .contains(cluster.members().get(0).endpoint().toString());
    }
    assertThat(text(files.internals()))
        .startsWith("UNIX-SECOND,MEMBER,METRIC,VALUE\n")
        .contains(metrics);
    assertThat(text(files.internals()).lines().skip(1))
        .allMatch(line -> line.matches("\\d{10},[123],[A-Za-z0-9_]+,-?\\d+(\\.\\d+)?"));
    assertThat(results.path().toFile().list())
        .hasSize(3 + members)
        .contains(
            members + "-server-system-metrics.csv",
            "client-system-metrics.csv",
            "server-disk-space-usage-summary.csv",
            "server-internals.csv");
  }

  @Test
  void a_run_on_the_in_memory_map_is_about_the_load_generator_only() throws IOException {
    DatabaseDirectory results = results();
    try (Cluster cluster = TestServers.start(MemoryStore.STORE, 1, directory);
        HostRecording recording =
            HostRecording.start(
                MemoryStore.STORE,
                cluster.members(),
                () -> 1,
                results,
                new HostRecording.Scope(Optional.empty(), Optional.empty(), 1, 1),
                Access.PLAIN,
                Clock.systemUTC())) {
      recording.diskUsage();
      recording.close();
      assertThat(recording.remarks()).isEmpty();
    }
    assertThat(results.path().toFile().list()).containsExactly("client-system-metrics.csv");
  }

  @Test
  void nothing_that_is_wrong_fails_the_run() {
    DatabaseDirectory nowhere = new DatabaseDirectory(directory.resolve("no/such"));
    Member given =
        new Member(
            1,
            "etcd-1",
            new Endpoint("127.0.0.1", 1),
            List.of(),
            Optional.of(directory.resolve("gone")));
    try (HostRecording recording =
        HostRecording.start(
            EtcdStore.STORE,
            List.of(given),
            () -> 1,
            nowhere,
            new HostRecording.Scope(Optional.empty(), Optional.empty(), 1, 1),
            Access.PLAIN,
            Clock.systemUTC())) {
      recording.diskUsage();
      recording.close();
      assertThat(recording.remarks())
          .anyMatch(
              remark -> remark.equals("etcd-1: no host metrics: Quorate did not start its process"))
          .anyMatch(remark -> remark.startsWith("etcd-1: the size of its data is not known"))
          .anyMatch(remark -> remark.contains("client-system-metrics.csv: cannot be written"))
          .anyMatch(remark -> remark.contains("server-internals.csv: cannot be written"));
    }
  }

  @Test
  void quantiles_compare_answers_of_one_member_and_never_of_several() throws IOException {
    DatabaseDirectory results = results();
    HostFiles files = new HostFiles(results);
    List<HttpServer> servers = List.of(etcdThatIdlesAfter(5), etcdThatIdlesAfter(700));
    List<Member> members =
        IntStream.rangeClosed(1, servers.size())
            .mapToObj(
                index ->
                    new Member(
                        index,
                        "etcd-" + index,
                        new Endpoint("127.0.0.1", servers.get(index - 1).getAddress().getPort()),
                        List.of(),
                        Optional.empty()))
            .toList();
    try (HostRecording recording =
        HostRecording.start(
            EtcdStore.STORE,
            members,
            () -> 1,
            results,
            new HostRecording.Scope(Optional.empty(), Optional.empty(), 1, 1),
            Access.PLAIN,
            Clock.systemUTC())) {
      Await.until(
          "each answers three times", LIMIT, () -> text(files.internals()).lines().count() > 6);
    } finally {
      servers.forEach(server -> server.stop(0));
    }
    MemberSeries reported = new HostMeasurements(results).reported();
    assertThat(reported.members()).hasSize(servers.size());
    assertThat(reported.members())
        .allMatch(
            member ->
                reported
                    .metrics(member)
                    .equals(Set.of("etcd_disk_wal_fsync_duration_seconds_count")));
  }

  /** An etcd that has synced its log as often as that, and does so no more. */
  private static HttpServer etcdThatIdlesAfter(int syncs) throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 5);
    byte[] answer =
        """
        etcd_disk_wal_fsync_duration_seconds_bucket{le="0.001"} %1$d
        etcd_disk_wal_fsync_duration_seconds_bucket{le="+Inf"} %1$d
        etcd_disk_wal_fsync_duration_seconds_count %1$d
        """
            .formatted(syncs)
            .getBytes(StandardCharsets.UTF_8);
    server.createContext(
        "/metrics",
        exchange -> {
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
    return server;
  }

  /** A server that does something else than answer. */
  private static void serve(String start, boolean again, ThrowingAsk ask) throws IOException {
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Thread thread = new Thread(() -> answer(server, start, again));
      thread.setDaemon(true);
      thread.start();
      ask.accept(new Endpoint("127.0.0.1", server.getLocalPort()));
    }
  }

  private interface ThrowingAsk {
    void accept(Endpoint endpoint) throws IOException;
  }

  private static void answer(ServerSocket server, String start, boolean again) {
    while (!server.isClosed()) {
      answerOnce(server, start, again);
    }
  }

  private static void answerOnce(ServerSocket server, String start, boolean again) {
    try (Socket socket = server.accept()) {
      // a question that is not read would make the end of the connection a reset
      if (socket.getInputStream().read(new byte[1_000]) < 0) {
        return;
      }
      do {
        socket.getOutputStream().write(start.getBytes(StandardCharsets.UTF_8));
      } while (again);
    } catch (IOException asked) {
      return;
    }
  }

  @Test
  void an_answer_without_an_end_is_given_up() throws IOException {
    String much = "x".repeat(100_000);
    serve(
        much,
        true,
        endpoint ->
            assertThatThrownBy(() -> new ZooKeeperInternals().ask(endpoint, Access.PLAIN, LIMIT))
                .isInstanceOf(IOException.class)
                .hasMessage("answers to srvr with more than 65536 bytes"));
  }

  @Test
  void a_server_that_is_silent_is_given_up() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Endpoint endpoint = new Endpoint("127.0.0.1", silent.getLocalPort());
      assertThatThrownBy(
              () -> new EtcdInternals().ask(endpoint, Access.PLAIN, Duration.ofMillis(100)))
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void a_silence_of_zookeeper_is_described_in_one_way() throws IOException {
    Path keys = directory.resolve("keys");
    new CertificateAuthority("ours", Instant.now(), Duration.ofDays(1))
        .issue("CN=me", CertificateAuthority.Purpose.CLIENT, List.of())
        .write(keys, "client");
    Access secured =
        Access.over(ClientTls.load(TlsFiles.in(keys, "client"), Instant.now()), Login.NONE);
    try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Endpoint endpoint = new Endpoint("127.0.0.1", silent.getLocalPort());
      for (Access access : List.of(Access.PLAIN, secured)) {
        assertThatThrownBy(
                () -> new ZooKeeperInternals().ask(endpoint, access, Duration.ofMillis(100)))
            .isInstanceOf(IOException.class)
            .hasMessage("does not answer in time");
      }
    }
  }

  @Test
  void what_is_no_good_answer_is_none() throws IOException {
    serve(
        "HTTP/1.1 503 Service Unavailable\r\n\r\netcd_server_has_leader 1\n",
        false,
        endpoint ->
            assertThatThrownBy(() -> new EtcdInternals().ask(endpoint, Access.PLAIN, LIMIT))
                .hasMessage("answers GET /metrics with status 503, expected 200"));
    serve(
        "srvr is not executed because it is not in the whitelist.\n",
        false,
        endpoint ->
            assertThatThrownBy(() -> new ZooKeeperInternals().ask(endpoint, Access.PLAIN, LIMIT))
                .hasMessage(
                    "answers neither to mntr nor to srvr: add mntr to 4lw.commands.whitelist"));
    serve(
        "HTTP/1.0 200 OK\r\n\r\n" + "[".repeat(100_000),
        false,
        endpoint -> assertThat(new ConsulInternals().ask(endpoint, Access.PLAIN, LIMIT)).isEmpty());
    assertThatThrownBy(() -> new ConsulInternals().parsed("[".repeat(100_000)))
        .isInstanceOf(IOException.class);
  }
}
