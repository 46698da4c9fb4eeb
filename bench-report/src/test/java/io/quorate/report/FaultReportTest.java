package io.quorate.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.history.HistoryFile;
import io.quorate.history.RecordedRequest;
import io.quorate.history.RecordedRequest.Action;
import io.quorate.history.RecordedRequest.Outcome;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.FaultRecord;
import io.quorate.results.MemberAgreement;
import io.quorate.results.requests.Golden;
import io.quorate.scenario.FaultPlan;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Reports of runs with faults whose histories are correct, or contain violations. */
class FaultReportTest {
  private static final String TAG = "etcd-v3.3.0-go1.9.3";
  private static final long MS = 1_000_000;
  private static final long KEY = 7;
  private static final long CONTENDED = 100;

  @TempDir private Path run;

  private final StringWriter out = new StringWriter();
  private final List<RecordedRequest> requests = new ArrayList<>();
  private DatabaseDirectory etcd;

  @BeforeEach
  void aKilledLeader() throws Exception {
    TestRuns.write(run, "etcd", TAG, 1, 5000, Golden.steps(TAG));
    etcd = new DatabaseDirectory(run.resolve("etcd"));
    FaultRecord.append(
        etcd,
        new FaultRecord(
            1,
            FaultPlan.Kind.parse("kill-leader").orElseThrow(),
            List.of("etcd-2"),
            0,
            2_000 * MS,
            12_000 * MS,
            22_000 * MS,
            Optional.of("etcd-2"),
            Optional.of("etcd-1"),
            OptionalLong.of(3_200 * MS),
            OptionalLong.of(12_500 * MS),
            Optional.empty()));
    put(41, 1_000);
    put(42, 3_500);
  }

  private void put(long value, long atMillis) {
    add(Action.PUT, KEY, value, 0, 0, atMillis, Outcome.OK);
  }

  private void get(long value, long atMillis) {
    add(Action.GET, KEY, 0, value, 0, atMillis, Outcome.OK);
  }

  private void compareAndSet(long expected, long value, long atMillis, Outcome outcome) {
    add(Action.COMPARE_AND_SET, CONTENDED, value, 0, expected, atMillis, outcome);
  }

  /** Adds a request that takes 1 ms. */
  private void add(
      Action action,
      long key,
      long written,
      long read,
      long expected,
      long atMillis,
      Outcome outcome) {
    requests.add(
        new RecordedRequest(
            requests.size() % 2,
            action,
            key,
            written,
            read,
            expected,
            atMillis * MS,
            (atMillis + 1) * MS,
            outcome,
            0));
  }

  private int report(String... options) {
    try (HistoryFile file = HistoryFile.create(FaultRecord.history(etcd))) {
      HistoryFile.Recorder recorder = file.recorder();
      requests.forEach(recorder::add);
      recorder.flush();
    }
    List<String> arguments = new ArrayList<>(List.of(options));
    arguments.add(run.toString());
    return new CommandLine(new ReportCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(out))
        .execute(arguments.toArray(String[]::new));
  }

  @Test
  void a_history_without_violation_shows_the_outage() {
    get(42, 4_000);
    new MemberAgreement(2, 0, List.of(), Optional.empty()).write(etcd);

    assertThat(report()).as(out.toString()).isZero();
    assertThat(out.toString())
        .contains(
            "kill-leader, for 10 s: etcd: writes stopped for 18.5 s; expected 1.0 to 2.5 s; connections: http2, pinned")
        .contains(
            "etcd: lost, stale or unexplained values: none seen in 3 requests; "
                + "with compare-and-set: -; members: equal for 2 keys");
    assertThat(run.resolve("index.html"))
        .content()
        .contains(
            "<section id=\"faults\"",
            "none seen in 3 requests",
            "equal for 2 keys",
            "kill-leader, for 10 s; connections: pinned",
            "http2, pinned");
  }

  @Test
  void a_dropped_write_is_named_with_its_witness() {
    get(41, 4_000);
    get(41, 5_000);

    assertThat(report()).as(out.toString()).isEqualTo(3);
    assertThat(out.toString())
        .contains("put 7 = v42 by client 1 from 3.500000 s, acknowledged at 3.501000 s")
        .contains("returned v41");
  }

  @Test
  void a_value_that_is_read_again_after_a_newer_one_is_named() {
    get(42, 4_000);
    get(41, 5_000);

    assertThat(report()).as(out.toString()).isEqualTo(3);
    assertThat(out.toString())
        .contains("1 reappeared value")
        .contains("get 7 by client 1 from 5.000000 s, returned v41");
  }

  @Test
  void two_clients_that_both_replaced_the_same_value_contradict_each_other() {
    add(Action.PUT, CONTENDED, 1, 0, 0, 100, Outcome.OK);
    compareAndSet(1, 2, 200, Outcome.OK);
    compareAndSet(1, 3, 300, Outcome.MISMATCH);
    compareAndSet(1, 4, 400, Outcome.OK);

    assertThat(report()).as(out.toString()).isEqualTo(3);
    assertThat(out.toString())
        .contains("with compare-and-set: a contradiction in 4 requests")
        .contains("etcd: requests with compare-and-set contradict: the key is v2 after ")
        .contains("compare-and-set 100 from v1 to v4");
  }

  @Test
  void members_with_different_values_break_a_guarantee() {
    new MemberAgreement(2, 1, List.of("key 7: v41 at etcd-1, v42 at etcd-2"), Optional.empty())
        .write(etcd);

    assertThat(report()).as(out.toString()).isEqualTo(3);
    assertThat(out.toString()).contains("members: 1 of 2 keys differ", "etcd: key 7: v41 at");
  }

  @Test
  void the_history_is_written_for_other_checkers() {
    compareAndSet(0, 2, 200, Outcome.OK);

    assertThat(report("--jepsen")).as(out.toString()).isZero();
    assertThat(out.toString()).contains("history:       " + etcd.path().resolve("jepsen"));
    assertThat(etcd.path().resolve("jepsen/key-100.json")).content().contains("\"f\":\"cas\"");
    assertThat(etcd.path().resolve("jepsen/key-7.json")).content().contains("\"value\":42");
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
    assertThat(out.toString()).contains("--jepsen: found a run without faults");
  }
}
