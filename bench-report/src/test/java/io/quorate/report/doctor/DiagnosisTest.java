// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.quorate.history.HistoryFile;
import io.quorate.report.GoldenRun;
import io.quorate.report.MachineRows;
import io.quorate.report.figures.RunFigures;
import io.quorate.report.plot.RunPlots;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.DatabaseRun;
import io.quorate.results.ExperimentRun;
import io.quorate.results.FaultRecord;
import io.quorate.results.latency.LatencyLog;
import io.quorate.results.latency.LatencyTag;
import io.quorate.scenario.FaultPlan;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A diagnosis from the files of a run. */
class DiagnosisTest {
  private static final String FSYNC = "etcd_disk_wal_fsync_duration_seconds";
  private static final int SECONDS = 40;

  /** Tenths of seconds in which clients stalled. */
  private static final List<Integer> STALLS = List.of(45, 110, 165, 250, 335);

  @TempDir Path results;
  private GoldenRun run;
  private long first;

  @BeforeEach
  void writeRun() {
    write("etcd");
  }

  private void write(String store) {
    run = new GoldenRun(results.resolve(store), store);
    first = Long.parseLong(run.read(store + "/seconds.csv").split("\n")[1].split(",")[2]);
    writeTenths(store, 700);
  }

  private void writeTenths(String store, int stallMillis) {
    StringBuilder tenths =
        new StringBuilder(
            "STEP,OPERATION,START-UNIX-MILLIS,END-UNIX-MILLIS,SUCCEEDED,P99-NANOS,MAX-NANOS\n");
    for (int i = 0; i < 10 * SECONDS; i++) {
      long nanos = STALLS.contains(i) ? 1_000_000L * stallMillis : 2_000_000;
      long start = 1_000 * first + 100L * i;
      tenths.append("1,put,%d,%d,50,%d,%d%n".formatted(start, start + 100, nanos, nanos));
    }
    run.write(store + "/tenths.csv", tenths.toString());
  }

  @Test
  void slow_fsyncs_of_a_member_are_named_with_their_bucket() {
    run.write("etcd/server-internals.csv", fsyncs(true));

    Diagnosis found = diagnosis().orElseThrow();

    assertThat(found.stalls().stalls()).hasSize(5);
    assertThat(found.verdict().orElseThrow())
        .startsWith(
            "etcd: 5 of 5 stalls (100% of their time) overlap a slow fsync of the log: etcd-2 (up"
                + " to 256 ms; ");
    assertThat(found.checks())
        .filteredOn(each -> each.check().id().equals("etcd-wal-fsync"))
        .extracting(CheckResult::subject, CheckResult::status)
        .containsExactly(
            tuple("etcd-1", CheckResult.Status.OK),
            tuple("etcd-2", CheckResult.Status.OK),
            tuple("etcd-3", CheckResult.Status.OK));
    assertThat(found.checks())
        .filteredOn(each -> each.check().id().equals("etcd-leader-changes"))
        .extracting(CheckResult::status)
        .containsExactly(CheckResult.Status.UNKNOWN);
  }

  @Test
  void the_busiest_log_is_named_with_the_cause() {
    StringBuilder rows = new StringBuilder(fsyncs(true));
    for (int second = 0; second <= SECONDS; second++) {
      for (int member = 1; member <= 3; member++) {
        rows.append(
            "%d,%d,%s_sum,%s%n".formatted(first + second, member, FSYNC, 0.25 * member * second));
      }
    }
    run.write("etcd/server-internals.csv", rows.toString());

    assertThat(diagnosis().orElseThrow().verdict().orElseThrow())
        .startsWith("etcd: 5 of 5 stalls (100% of their time) overlap a slow fsync of the log")
        .endsWith(" The log (fsync) of etcd-3 was 75% busy with 10 clients.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"txn", "compact", "create", "optimistic-update"})
  void every_operation_that_writes_has_parts_of_its_latency(String operation) {
    StringBuilder rows = new StringBuilder(fsyncs(false));
    for (int second = 0; second <= SECONDS; second++) {
      rows.append("%d,1,%s_sum,%s%n".formatted(first + second, FSYNC, 0.005 * second));
      rows.append("%d,1,%s_count,%d%n".formatted(first + second, FSYNC, second));
    }
    run.write("etcd/server-internals.csv", rows.toString());
    run.write("etcd/seconds.csv", run.read("etcd/seconds.csv").replace("put", operation));
    DatabaseRun etcd = DatabaseRun.read(run.directory().path().resolve("etcd"));
    append(etcd, Map.of(LatencyTag.response(1, operation), etcd.latencies().all()));

    assertThat(diagnosis().orElseThrow().latency())
        .singleElement()
        .extracting(parts -> parts.parts().get(0))
        .isEqualTo(new LatencyParts.Part("fsync of the log", 5));
  }

  @Test
  void stalls_without_evidence_are_unexplained() {
    run.write("etcd/server-internals.csv", fsyncs(false));

    assertThat(diagnosis().orElseThrow().verdict())
        .hasValue(
            "etcd: 5 stalls took 3.5 s in total; no recorded cause overlaps them more often than by"
                + " chance.");
  }

  @Test
  void seconds_with_slow_fsyncs_are_no_headline_for_stalls_of_tenths() {
    writeTenths("etcd", 200);
    run.write("etcd/server-internals.csv", fsyncs(true));

    Diagnosis found = diagnosis().orElseThrow();

    assertThat(found.verdict())
        .hasValue(
            "etcd: 5 stalls took 1.0 s in total; no recorded cause is certain, as times are known"
                + " to a second only.");
    assertThat(found.sentences().get(0))
        .contains("overlap a slow fsync of the log: etcd-2")
        .endsWith(
            "It is not known that the disk was busy: look for busy CPUs and limits of I/O first.");
  }

  @Test
  void stalls_within_a_planned_fault_are_its_stalls() {
    run.write("etcd/server-internals.csv", fsyncs(true));
    DatabaseDirectory etcd = new DatabaseDirectory(run.directory().path().resolve("etcd"));
    HistoryFile.create(FaultRecord.history(etcd)).close();
    FaultRecord.FILE.append(
        etcd,
        new FaultRecord(
            1,
            FaultPlan.Kind.parse("kill-leader").orElseThrow(),
            List.of("etcd-2"),
            1_000_000_000 * first,
            0,
            20_000_000_000L,
            30_000_000_000L,
            Optional.empty(),
            Optional.empty(),
            OptionalLong.empty(),
            OptionalLong.empty(),
            OptionalLong.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty()));

    assertThat(diagnosis().orElseThrow().verdict().orElseThrow())
        .startsWith(
            "etcd: 3 of 5 stalls (60% of their time) overlap a fault or maintenance that the run"
                + " planned (kill-leader).");
  }

  @Test
  void messages_of_servers_are_not_quoted() {
    StringBuilder events = new StringBuilder();
    for (int stall : STALLS) {
      long at = 1_000_000_000L * first + 100_000_000L * stall;
      events.append(
          ("{\"kind\":\"server-log\",\"source\":\"etcd-2\",\"step\":1,\"startUnixNanos\":%d,\"endUnixNanos\":%d,\"dropped\":0,\"text\":\"{level:"
                  + " warn} slow fdatasync\"}%n")
              .formatted(at, at));
    }
    run.write("etcd/events.jsonl", events.toString());

    assertThat(diagnosis().orElseThrow().verdict().orElseThrow())
        .matches(
            "etcd: 5 of 5 stalls \\(100% of their time\\) overlap a slow fsync of the log: etcd-2"
                + " \\([0-9.]+ expected by chance\\)\\.");
  }

  @Test
  void a_pause_of_a_jvm_is_garbage_collection_only_if_the_server_collected() {
    write("zookeeper");
    run.write("zookeeper/server-internals.csv", pauses(0));
    assertThat(diagnosis().orElseThrow().verdict().orElseThrow())
        .startsWith(
            "ZooKeeper: 5 of 5 stalls (100% of their time) overlap a pause of the server's JVM that"
                + " was not garbage collection: zookeeper-2 (600 ms; ");

    run.write("zookeeper/server-internals.csv", pauses(0.55));
    assertThat(diagnosis().orElseThrow().verdict().orElseThrow())
        .startsWith(
            "ZooKeeper: 5 of 5 stalls (100% of their time) overlap garbage collection of the"
                + " server: zookeeper-2 (600 ms; ");
  }

  private String pauses(double gcSeconds) {
    StringBuilder rows = new StringBuilder("UNIX-SECOND,MEMBER,METRIC,VALUE\n");
    for (int second = 0; second <= SECONDS; second++) {
      double asked = second + 0.5;
      long count = STALLS.stream().filter(i -> i / 10.0 < asked).count();
      for (int member = 1; member <= 3; member++) {
        long its = member == 2 ? count : 0;
        long at = first + second;
        rows.append("%d,%d,zk_sum_jvm_pause_time_ms,%d%n".formatted(at, member, 600 * its));
        rows.append(
            "%d,%d,zk_jvm_gc_collection_seconds_sum,%s%n".formatted(at, member, gcSeconds * its));
      }
    }
    return rows.toString();
  }

  @Test
  void what_is_unknown_has_a_reason() {
    run.write("etcd/server-internals.csv", "UNIX-SECOND,MEMBER,METRIC,VALUE\n");

    assertThat(diagnosis().orElseThrow().checks())
        .filteredOn(each -> each.status() == CheckResult.Status.UNKNOWN)
        .extracting(each -> each.check().id(), CheckResult::measured)
        .contains(
            tuple(
                "etcd-wal-fsync",
                "no metrics could be read: pass endpoints that answer GET /metrics over HTTP"),
            tuple("disk-probe", "pass --disk with a directory on the disk of a member"),
            tuple("load-generator-late", "requests of a closed loop, or none, are not scheduled"));
  }

  @Test
  void requests_that_waited_in_the_load_generator_are_named_by_what_they_waited_for() {
    run.write("etcd/tenths.csv", run.read("etcd/tenths.csv").replace("700000000", "2000000"));
    run.write("etcd/server-internals.csv", fsyncs(false));
    DatabaseRun etcd = DatabaseRun.read(run.directory().path().resolve("etcd"));
    Histogram wait = new Histogram(3);
    wait.recordValueWithCount(20_000_000, etcd.latencies().all().getTotalCount());
    Histogram service = new Histogram(3);
    service.recordValue(1_000_000);

    append(etcd, Map.of(LatencyTag.service(1, "put"), service));
    assertThat(diagnosis().orElseThrow().verdict().orElseThrow())
        .startsWith("etcd: the load generator was late: with 10 clients a response took 24 ms");

    append(etcd, Map.of(LatencyTag.of(1, LatencyTag.Time.QUEUE), wait));
    Diagnosis found = diagnosis().orElseThrow();
    assertThat(found.verdict().orElseThrow())
        .startsWith(
            "etcd: requests waited for one of 1 connection; use more connections (--clients): with"
                + " 10 clients a response took 24 ms on average, and 1 ms once its request was"
                + " sent.");
    assertThat(found.sentences().get(0)).startsWith("Requests waited for one of 1 connection;");
  }

  private static void append(DatabaseRun run, Map<LatencyTag, Histogram> times) {
    Map<LatencyTag, Histogram> all =
        new HashMap<>(DatabaseRun.read(run.directory().path()).latencies().byTag());
    all.putAll(times);
    try (LatencyLog log = LatencyLog.create(run.directory().latencyLog(), run.manifest().start())) {
      all.forEach(log::append);
    }
  }

  @Test
  void a_member_without_metrics_has_a_reason_although_others_have_some() {
    run.write("etcd/server-internals.csv", fsyncs(true).replaceAll("(?m)^\\d+,2,.*\\n", ""));

    assertThat(diagnosis().orElseThrow().checks())
        .filteredOn(each -> each.check().id().equals("etcd-wal-fsync"))
        .extracting(CheckResult::subject, CheckResult::measured)
        .contains(
            tuple(
                "etcd-2",
                "no metrics could be read: pass endpoints that answer GET /metrics over HTTP"));
    MachineRows.delete(run.directory().path().resolve("etcd"), "client");
    assertThat(diagnosis().orElseThrow().checks())
        .filteredOn(each -> each.check().id().equals("cpu-busy"))
        .extracting(CheckResult::measured)
        .containsExactly("the load generator's machine was not measured");
  }

  @Test
  void an_observer_is_not_judged() {
    run.write("etcd/server-internals.csv", fsyncs(false));

    Diagnosis found =
        Diagnosis.ofObservation(
            new DatabaseDirectory(run.directory().path().resolve("etcd")),
            3,
            1_000.0 * first,
            1_000.0 * first + 20_000,
            List.of(),
            Probes.NONE);

    assertThat(found.resources())
        .extracting(ResourceUse::resource)
        .doesNotContain(ResourceUse.Resource.CPU, ResourceUse.Resource.DISK);
    assertThat(found.checks())
        .filteredOn(each -> each.check().id().equals("cpu-busy"))
        .extracting(CheckResult::measured)
        .containsExactly("the machines of the members were not measured: no agent runs there");
    assertThat(found.summary())
        .matches("etcd: nothing conspicuous in \\d+ of \\d+ checks, as the others are unknown");

    Histogram slow = new Histogram(3);
    slow.recordValue(93_800_000);
    run.write("etcd/server-internals.csv", "UNIX-SECOND,MEMBER,METRIC,VALUE\n");
    Diagnosis blind =
        Diagnosis.ofObservation(
            new DatabaseDirectory(run.directory().path().resolve("etcd")),
            3,
            1_000.0 * first,
            1_000.0 * first + 20_000,
            List.of("etcd-1: metrics of the server are missing for some seconds: why"),
            new Probes(Map.of(), Map.of("a:1", slow), Map.of()));
    assertThat(blind.checks())
        .filteredOn(each -> each.check().id().equals("etcd-wal-fsync"))
        .extracting(CheckResult::measured)
        .contains(
            "no metrics could be read (why): pass endpoints that answer GET /metrics over HTTP");
    assertThat(blind.summary()).isEqualTo("etcd: not in order: connect-probe");
  }

  @Test
  void the_page_and_the_console_say_it() {
    run.write("etcd/server-internals.csv", fsyncs(true));

    run.writePage(RunPlots.NONE);

    assertThat(run.read("index.html"))
        .contains("5 of 5 stalls (100% of their time) overlap a slow fsync of the log: etcd-2")
        .contains("<h2 id=\"doctor-title\">Causes</h2>");
  }

  @Test
  void servers_of_an_existing_cluster_in_containers_are_no_other_process() {
    assertThat(strangerOf("etcd 1900", "docker0")).isEmpty();
    for (String network : List.of("docker0", "eth0")) {
      assertThat(strangerOf("java 1900", network))
          .isEqualTo("java, which is not part of the run, used 1.9 of 2 CPUs");
    }
    assertThat(strangerOf("etcd 1900", "eth0"))
        .isEqualTo("etcd, which is not part of the run, used 1.9 of 2 CPUs");
  }

  /** Returns who used the CPUs of the load generator's machine if this was the busiest program. */
  private String strangerOf(String busiest, String network) {
    StringBuilder rows =
        new StringBuilder(
            "UNIX-NANOSECOND,UNIX-SECOND,CPUS,MACHINE-CPU-MILLISECONDS,PROCESS-CPU-OTHERS,"
                + "OTHERS-TIME-MILLISECONDS,INTERFACE\n");
    for (int second = 0; second <= SECONDS; second++) {
      long at = first + second;
      rows.append(
          "%d000000000,%d,2,%d,%s,1000,%s%n".formatted(at, at, 2_000 * second, busiest, network));
    }
    run.write("etcd/client-system-metrics.csv", rows.toString());
    return diagnosis().orElseThrow().resources().stream()
        .filter(each -> each.resource() == ResourceUse.Resource.CPU)
        .filter(each -> each.host().equals(CheckInput.LOAD_GENERATOR))
        .findFirst()
        .orElseThrow()
        .note();
  }

  @Test
  void a_run_without_tenths_has_no_diagnosis() {
    run.write(
        "etcd/tenths.csv",
        "STEP,OPERATION,START-UNIX-MILLIS,END-UNIX-MILLIS,SUCCEEDED,P99-NANOS,MAX-NANOS\n");

    assertThat(diagnosis()).isEmpty();
    run.writePage(RunPlots.NONE);
    assertThat(run.read("index.html")).doesNotContain("doctor-title");
  }

  @Test
  void a_probe_of_a_slow_disk_is_bad() {
    Histogram slow = new Histogram(3);
    slow.recordValue(25_000_000);

    assertThat(Check.of(new Probes(Map.of("/data", slow), Map.of(), Map.of())))
        .singleElement()
        .matches(each -> each.status() == CheckResult.Status.BAD)
        .matches(each -> each.check().id().equals("disk-probe"))
        .extracting(CheckResult::measured)
        .isEqualTo("p50 25.0 ms, p99 25.0 ms, longest 25.0 ms of 1 writes");
  }

  @Test
  void a_busy_machine_does_not_accuse_the_network() {
    Histogram slow = new Histogram(3);
    slow.recordValue(93_800_000);
    Histogram own = new Histogram(3);
    own.recordValue(61_000_000);

    Probes busy = new Probes(Map.of(), Map.of("a:1", slow), Map.of("a:1", own));
    assertThat(Check.of(busy))
        .extracting(CheckResult::status, CheckResult::measured)
        .containsExactly(
            tuple(
                CheckResult.Status.UNKNOWN,
                "p50 93.8 ms, p99 93.8 ms, jitter 0.07 ms of 1 connects; this machine is too busy"
                    + " to tell: p99 61.0 ms of connects to itself"));
    own.reset();
    own.recordValue(100_000);
    assertThat(Check.of(busy))
        .extracting(CheckResult::status)
        .containsExactly(CheckResult.Status.BAD);
  }

  private Optional<Diagnosis> diagnosis() {
    return Diagnosis.of(
        RunFigures.of(ExperimentRun.read(run.directory().path())).databases().get(0), Probes.NONE);
  }

  private String fsyncs(boolean slow) {
    StringBuilder rows = new StringBuilder("UNIX-SECOND,MEMBER,METRIC,VALUE\n");
    for (int second = 0; second <= SECONDS; second++) {
      for (int member = 1; member <= 3; member++) {
        // the second of three members is asked half a second after the beginning of each second
        double asked = second + 0.5;
        boolean stalled =
            slow
                && member == 2
                && STALLS.stream().anyMatch(i -> i / 10.0 >= asked - 1 && i / 10.0 < asked);
        long at = first + second;
        rows.append("%d,%d,%s_max,%s%n".formatted(at, member, FSYNC, stalled ? 0.256 : 0.004));
        rows.append("%d,%d,%s_p99,%s%n".formatted(at, member, FSYNC, 0.003));
      }
    }
    return rows.toString();
  }
}
