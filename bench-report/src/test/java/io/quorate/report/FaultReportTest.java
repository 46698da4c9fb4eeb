// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.history.RecordedRequest.Action;
import io.quorate.history.RecordedRequest.Outcome;
import io.quorate.measure.Verification;
import io.quorate.report.compare.RunValues;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.figures.RunFigures;
import io.quorate.report.page.FaultOverview;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.DatabaseRun;
import io.quorate.results.ExperimentRun;
import io.quorate.results.FaultRecord;
import io.quorate.results.LockRecord;
import io.quorate.results.MatrixDirectory;
import io.quorate.results.MemberAgreement;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.ServerInfo;
import io.quorate.results.manifest.StepUsage;
import io.quorate.results.requests.Golden;
import io.quorate.scenario.FaultPlan;
import io.quorate.scenario.Metric;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Reports of runs with faults whose histories are correct, or contain violations. */
class FaultReportTest extends FaultyRun {
  @Test
  void a_disturbed_run_is_verified_but_its_times_are_not_judged() {
    get(42, 4_000);
    StepUsage cost =
        new StepUsage(
            1,
            10,
            5000,
            10_000 * MS,
            100_000 * MS,
            0,
            OptionalDouble.of(0.85),
            0,
            0,
            OptionalLong.empty());
    Manifest.read(etcd.manifest()).withCosts(List.of(cost)).write(etcd);
    assertThat(report()).as(out.toString()).isZero();
    assertThat(printed())
        .contains("Do not use this run: other processes used 85% of the load generator's CPUs")
        .doesNotContain("onger than expected", "no lost write seen in 3 requests; ");
    assertThat(new FaultOverview(RunFigures.of(ExperimentRun.read(run))).statements())
        .singleElement()
        .matches(each -> each.card().endsWith(": no lost write seen in 3 requests."))
        .matches(each -> each.longer().isEmpty());
  }

  @Test
  void a_history_without_violation_shows_the_outage() {
    get(42, 4_000);
    new MemberAgreement(2, OptionalLong.empty(), 0, List.of(), Optional.empty()).write(etcd);

    assertThat(report()).as(out.toString()).isZero();
    assertThat(printed())
        .contains(
            """
                               no writes for  expected      worst client
            etcd  kill-leader  > 18.5 s       1.0 to 2.5 s  > 20.0 s
            Connections: etcd http2, pinned
            \u2713 etcd: lost, stale or unexplained values in the load: none seen in 3 requests; with\
             compare-and-set: -; members: equal for 2 keys
            """);
    assertThat(run.resolve("index.html"))
        .content()
        .contains(
            "<section id=\"faults\"",
            "none seen in 3 requests",
            "equal for 2 keys",
            "http2, pinned")
        .contains(
            "etcd 3.6.16: no lost write seen in 3 requests; "
                + "writes stopped for &gt; 18.5\u00a0s when the leader was killed, and for the worst"
                + " client for &gt; 20.0\u00a0s.",
            "align=\"left\">etcd, any client</th>",
            "align=\"left\">etcd, worst client</th>",
            "Longer than expected: etcd kill-leader, &gt; 18.5\u00a0s instead of 1.0 to"
                + " 2.5\u00a0s.",
            "election-timeout 1000 ms (default)")
        .contains("\"group\":\"seconds\"", "\"group\":\"seconds-since-the-fault\"")
        .doesNotContain("class=\"broken\"");
    assertThat(run.resolve("card.png")).exists();
    assertThat(run.resolve("plots/FAULT-KILL-LEADER-THROUGHPUT.svg"))
        .content()
        .contains(
            "All injections of kill-leader, by 250 ms; the fault lasts 10 s.",
            "Events marked at the bottom: new leader 1, all members serve 1.");
    assertThat(run.resolve("plots/FAULT-KILL-LEADER-ERRORS.svg")).doesNotExist(); // no errors
  }

  @Test
  void fewer_faults_than_planned_decide_nothing() throws IOException {
    FaultRecord effective = FaultRecord.FILE.read(etcd).get(0);
    FaultRecord.FILE.append(
        etcd,
        new FaultRecord(
            2,
            FaultPlan.Kind.parse("pause-leader").orElseThrow(),
            List.of(),
            effective.startUnixNanos() + 4_000 * MS,
            6_000 * MS,
            6_000 * MS,
            6_000 * MS,
            Optional.empty(),
            Optional.empty(),
            OptionalLong.empty(),
            OptionalLong.empty(),
            OptionalLong.empty(),
            Optional.of("not caused, as the load had ended before"),
            Optional.empty(),
            Optional.empty()));
    get(42, 4_000);

    assertThat(report()).as(out.toString()).isEqualTo(4);
    assertThat(printed())
        .contains(
            "etcd: 1 of 2 planned faults took no effect, so the run does not show them.",
            "etcd: fault 2, pause-leader: not caused, as the load had ended before.");
    assertThat(run.resolve("index.html"))
        .content()
        .contains(
            "no lost write seen in 3 requests; 1 of 2 planned faults took no effect; writes"
                + " stopped for ");

    Files.delete(FaultRecord.history(etcd));
    get(41, 5_000);
    assertThat(report()).as("a violation counts more").isEqualTo(3);
  }

  @Test
  void faults_without_effect_for_the_same_reason_share_a_sentence() {
    append(2, "power-cut-leader 2s", 30_000, 40_000, Optional.of("no effect: expected that x"));
    append(3, "power-cut-all 2s", 50_000, 60_000, Optional.of("no effect: expected that x"));

    report();

    assertThat(printed())
        .contains(
            "etcd: fault 2, power-cut-leader 2s; fault 3, power-cut-all 2s: no effect: expected that"
                + " x.");
  }

  @Test
  void a_power_cut_without_effect_leaves_the_note_about_its_file_system() throws IOException {
    append(2, "power-cut-all 2s", 50_000, 60_000, Optional.of("no effect: expected that x"));
    Manifest.read(etcd.manifest())
        .withServers(
            new ServerInfo(
                Optional.of("3.6.16"),
                List.of("127.0.0.1:2379"),
                Optional.empty(),
                Optional.empty(),
                Optional.of(ServerInfo.Hosting.LOCAL),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty()))
        .write(etcd);
    report();
    assertThat(run.resolve("index.html"))
        .content()
        .contains("etcd: the data was on a file system that can lose power");
  }

  @Test
  void keys_that_are_lost_after_the_load_are_in_the_first_sentence() throws IOException {
    Verification lost =
        new Verification(
            5, 5, 5, 3, 1, List.of(), 0, OptionalLong.empty(), true, Optional.empty(), 1);
    Manifest.read(etcd.manifest()).withVerification(lost).write(etcd);
    assertThat(report()).as(out.toString()).isEqualTo(3);
    assertThat(run.resolve("index.html"))
        .content()
        .contains("etcd 3.6.16: 4 acknowledged keys lost or wrong after the load, of 5 read; ")
        .doesNotContain("no lost write seen");
  }

  @Test
  void keys_that_the_store_does_not_count_are_in_the_first_sentence() throws IOException {
    Verification uncounted =
        new Verification(
            5, 5, 5, 0, 0, List.of(), 5, OptionalLong.of(3), true, Optional.empty(), 1);
    Manifest.read(etcd.manifest()).withVerification(uncounted).write(etcd);
    assertThat(report()).as(out.toString()).isEqualTo(3);
    assertThat(run.resolve("index.html"))
        .content()
        .contains("etcd 3.6.16: 2 acknowledged keys missing in the store&#39;s count; ")
        .doesNotContain("no lost write seen");
  }

  @Test
  void the_axis_of_the_dots_is_as_long_as_the_longest_outage() {
    append(2, "kill-all 180s", 30_000, 300_000, Optional.empty());
    put(43, 29_000);
    put(44, 230_000);

    report();

    assertThat(run.resolve("index.html")).content().contains(">1,000 s</text>");
  }

  /** Adds a fault, which lasts for a second. */
  private void append(
      int number, String kind, long atMillis, long untilMillis, Optional<String> problem) {
    FaultRecord.FILE.append(
        etcd,
        new FaultRecord(
            number,
            FaultPlan.Kind.parse(kind).orElseThrow(),
            List.of("etcd-2"),
            1,
            atMillis * MS,
            (atMillis + 1_000) * MS,
            untilMillis * MS,
            Optional.empty(),
            Optional.empty(),
            OptionalLong.empty(),
            OptionalLong.empty(),
            OptionalLong.empty(),
            problem,
            Optional.empty(),
            Optional.empty()));
  }

  @Test
  void the_history_is_checked_even_if_no_fault_was_caused() throws IOException {
    Files.delete(FaultRecord.FILE.file(etcd));
    get(42, 4_000);
    assertThat(report()).as(out.toString()).isEqualTo(4);
    assertThat(printed())
        .contains("etcd: no planned fault was caused, so the run does not show them.")
        .contains(
            "\u2713 etcd: lost, stale or unexplained values in the load: none seen in 3 requests");
    assertThat(run.resolve("index.html"))
        .content()
        .contains("etcd 3.6.16: no lost write seen in 3 requests; no planned fault was caused.");

    Files.delete(FaultRecord.history(etcd));
    get(41, 5_000);
    assertThat(report()).as(out.toString()).isEqualTo(3);
    assertThat(printed()).contains("1 reappeared value");
  }

  @Test
  void a_matrix_has_the_exit_code_of_its_worst_run(@TempDir Path other) throws IOException {
    MatrixDirectory matrix = new SyntheticMatrix(1, 1).write(other);
    run = matrix.path();
    etcd =
        new DatabaseDirectory(
            matrix.attempts(SyntheticMatrix.LOW, 1).get(0).path().resolve("etcd"));
    assertThat(report()).as(out.toString()).isEqualTo(4);
    assertThat(printed()).contains(SyntheticMatrix.LOW + ": etcd", "; no planned fault was");

    etcd =
        new DatabaseDirectory(
            matrix.attempts(SyntheticMatrix.HIGH, 1).get(0).path().resolve("etcd"));
    get(41, 5_000);
    assertThat(report()).as(out.toString()).isEqualTo(3);
    assertThat(printed()).contains(SyntheticMatrix.HIGH + ": etcd", "1 acknowledged write");
  }

  @Test
  void all_values_of_all_faults_are_in_a_file() {
    get(42, 4_000);

    assertThat(report()).as(out.toString()).isZero();
    assertThat(run.resolve("faults.csv"))
        .hasContent(
            """
            DATABASE,FAULT,NUMBER,MEMBERS,OBSERVED-MS,WRITES-STOPPED-MS,\
            FIRST-WRITE-MS,NEW-LEADER-MS,MEDIAN-CLIENT-MS,WORST-CLIENT-MS,\
            ALL-CLIENTS-BACK-MS,READS-STOPPED-MS,FIRST-READ-MS,WORST-READER-MS,\
            STALE-READS-STOPPED-MS,FIRST-STALE-READ-MS,WORST-STALE-READER-MS,\
            STABLE-AGAIN-MS,ALL-MEMBERS-SERVE-MS,CAUGHT-UP-MS,LATE-REQUESTS-MS,\
            LONGEST-RESPONSE-MS,P99-BEFORE-MS,P99-DURING-MS,LENGTH-MS,STOPPED-BEFORE-MS,\
            STOPPED-AS-LONG-MS,ACKNOWLEDGED,FAILED,UNKNOWN,DROPPED,LATE
            etcd,kill-leader,1,etcd-2,20000.000,>18499.000,1501.000,1200.000,\
            >19249.500,>20000.000,>20000.000,>17999.000,2001.000,>17999.000,,,,\
            >15000.000,10500.000,700.000,,1.000,1.000,1.000,10000.000,,,2,0,0,0,0
            """);
  }

  @Test
  void a_dropped_write_is_named_with_its_witness() {
    get(41, 4_000);
    get(41, 5_000);

    assertThat(report()).as(out.toString()).isEqualTo(3);
    assertThat(printed())
        .contains(
            "etcd: 1 lost write; a newer value was acknowledged, but not read:"
                + " put 7 = v41  client 0  1.000000 s  acknowledged"
                + " put 7 = v42  client 1  3.500000 s  acknowledged"
                + " get 7        client 0  4.000000 s  returned v41\n");
    assertThat(run.resolve("index.html"))
        .content()
        .contains(
            "<p class=\"verdict broken\">etcd 3.6.16: 1 acknowledged write lost in 4 requests;",
            "<tr class=\"broken\">");
  }

  @Test
  void a_value_that_is_read_again_after_a_newer_one_is_named() {
    get(42, 4_000);
    get(41, 5_000);

    assertThat(report()).as(out.toString()).isEqualTo(3);
    assertThat(printed())
        .contains("1 reappeared value")
        .contains(" get 7        client 1  5.000000 s  returned v41");
  }

  @Test
  void two_clients_that_both_replaced_the_same_value_contradict_each_other() {
    add(Action.PUT, CONTENDED, 1, 0, 0, 100, Outcome.OK);
    compareAndSet(1, 2, 200, Outcome.OK);
    compareAndSet(1, 3, 300, Outcome.MISMATCH);
    compareAndSet(1, 4, 400, Outcome.OK);

    assertThat(report()).as(out.toString()).isEqualTo(3);
    assertThat(printed())
        .contains("with compare-and-set: a contradiction in 4 requests")
        .contains(
            "etcd: requests with compare-and-set contradict each other; no order of 3 requests,"
                + " out of 4 to the key, explains the results: put 100 = v1 ")
        .contains("compare-and-set 100 from v1 to v4  client ");
  }

  @Test
  void members_with_different_values_break_a_guarantee() {
    new MemberAgreement(
            2,
            OptionalLong.of(2),
            1,
            List.of("key 7: v41 at etcd-1, v42 at etcd-2"),
            Optional.empty())
        .write(etcd);

    assertThat(report()).as(out.toString()).isEqualTo(3);
    assertThat(printed()).contains("members: 1 of 2 keys differ", "etcd: key 7: v41 at");
  }

  @Test
  void an_outage_is_a_value_that_runs_are_compared_by() throws Exception {
    get(42, 4_000);

    assertThat(report()).as(out.toString()).isZero();
    assertThat(RunValues.of(DatabaseFigures.of(DatabaseRun.read(etcd.path()))).values())
        .containsEntry(
            new RunValues.Row(
                "fault kill-leader", OptionalInt.empty(), Optional.empty(), Metric.OUTAGE),
            18_499.0);
  }

  @Test
  void what_survived_is_shown() {
    session(1, 1_000, 2_000, 15_500);
    session(2, 9_000, 0, 11_000);
    watched(10);

    assertThat(report()).as(out.toString()).isZero();
    assertThat(printed())
        .contains(
            """
                              kill-leader, etcd
            sessions alive               0 of 1
            ended early                       1
            ended late by                4.50 s
            """)
        .contains(
            "etcd: the database ended 1 session within the TTL after an acknowledged keep-alive.");
    assertThat(run.resolve("index.html")).content().contains("0 of 1", "0.0 to 7.8 s");
  }

  @Test
  void a_session_without_an_end_is_shown_where_no_other_ended() {
    session(1, 1_000, 2_000, 0);

    assertThat(report()).as(out.toString()).isZero();
    assertThat(printed()).contains("ended late by      1 without an end");
  }

  @Test
  void two_holders_of_a_lock_are_named() {
    LockRecord.FILE.append(etcd, new LockRecord(0, 0, 5, 0, 3_000 * MS, 4_000 * MS, false));
    LockRecord.FILE.append(etcd, new LockRecord(0, 3, 6, 0, 3_500 * MS, 4_500 * MS, false));

    assertThat(report()).as(out.toString()).isZero();
    assertThat(printed())
        .contains("two lock holders  1, for up to 500 ms")
        .contains("two clients believed 1 time that they held the same lock, for up to 500 ms.");
  }

  @Test
  void a_lost_event_of_a_store_that_promises_every_change_breaks_a_guarantee() {
    watched(9);

    assertThat(report()).as(out.toString()).isEqualTo(3);
    assertThat(printed())
        .contains("etcd: watches did not report 1 event, although the database promises them.");
  }

  @Test
  void the_history_is_written_for_other_checkers() {
    compareAndSet(0, 2, 200, Outcome.OK);

    assertThat(report("--jepsen")).as(out.toString()).isZero();
    assertThat(printed()).contains("history " + etcd.path().resolve("jepsen"));
    assertThat(etcd.path().resolve("jepsen/key-100.json")).content().contains("\"f\":\"cas\"");
    assertThat(etcd.path().resolve("jepsen/key-7.json")).content().contains("\"value\":42");
  }

  @Test
  void the_requests_of_a_contradiction_are_written_for_other_checkers() {
    add(Action.PUT, CONTENDED, 1, 0, 0, 100, Outcome.OK);
    compareAndSet(1, 2, 200, Outcome.OK);
    add(Action.GET, CONTENDED, 0, 2, 0, 300, Outcome.OK);
    compareAndSet(1, 4, 400, Outcome.OK);

    assertThat(report("--jepsen")).as(out.toString()).isEqualTo(3);
    assertThat(etcd.path().resolve("jepsen/not-linearizable/key-100.json"))
        .content()
        .contains("\"value\":[1,2]", "\"value\":[1,4]")
        .doesNotContain("\"read\"");
  }

  @Test
  void a_damaged_history_is_named_and_the_rest_of_the_report_is_shown() throws IOException {
    report();
    Path history = FaultRecord.history(etcd);
    byte[] intact = Files.readAllBytes(history);
    byte[] changed = intact.clone();
    changed[20]++;
    Map<String, byte[]> damages =
        Map.of(
            "offset 16: found a damaged record",
            changed,
            "found 88 bytes, expected 160",
            Arrays.copyOf(intact, 88));
    Files.delete(history);
    Manifest.read(etcd.manifest())
        .withSizes(Map.of("history.bin", (long) intact.length))
        .write(etcd);
    for (Map.Entry<String, byte[]> each : damages.entrySet()) {
      out.getBuffer().setLength(0);
      Files.write(history, each.getValue());
      int exit =
          new CommandLine(new ReportCommand())
              .setOut(new PrintWriter(out))
              .setErr(new PrintWriter(out))
              .execute("--jepsen", run.toString());
      assertThat(exit).isEqualTo(1);
      assertThat(printed())
          .contains(
              "--jepsen: etcd/history.bin: ",
              each.getKey(),
              "outages and the check of all requests are left out");
      assertThat(run.resolve("index.html"))
          .content()
          .contains("outages and the check of all requests are left out")
          .doesNotContain("<section id=\"faults\"");
    }
  }

  @Test
  void a_run_without_faults_has_no_history(@TempDir Path other) throws Exception {
    TestRuns.write(other, "etcd", TAG, 1, 5000, Golden.steps(TAG));
    int exit =
        new CommandLine(new ReportCommand())
            .setErr(new PrintWriter(out))
            .setOut(new PrintWriter(out))
            .setExecutionExceptionHandler(
                (failure, command, parsed) -> {
                  command.getErr().println(failure.getMessage());
                  return 1;
                })
            .execute("--jepsen", other.toString());
    assertThat(exit).isEqualTo(1);
    assertThat(printed()).contains("--jepsen: found a run without faults");
  }
}
