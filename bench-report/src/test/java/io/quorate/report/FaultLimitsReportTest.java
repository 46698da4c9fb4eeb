// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.measure.Verification;
import io.quorate.report.history.HistoryCommand;
import io.quorate.results.FaultRecord;
import io.quorate.results.MemberAgreement;
import io.quorate.results.manifest.Manifest;
import io.quorate.scenario.FaultPlan;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** What a report of a run with faults must not leave open. */
class FaultLimitsReportTest extends FaultyRun {
  private FaultRecord fault(int number, String kind, long fromMs, long endMs, String observed) {
    return new FaultRecord(
        number,
        FaultPlan.Kind.parse(kind).orElseThrow(),
        List.of("etcd-2"),
        FaultRecord.FILE.read(etcd).get(0).startUnixNanos() + (fromMs - 2_000) * MS,
        fromMs * MS,
        endMs * MS,
        (fromMs + 20_000) * MS,
        Optional.of("etcd-2"),
        Optional.empty(),
        OptionalLong.empty(),
        OptionalLong.of(endMs * MS),
        OptionalLong.empty(),
        Optional.empty(),
        observed.isEmpty() ? Optional.empty() : Optional.of(observed),
        Optional.empty());
  }

  @Test
  void an_outage_that_did_not_end_is_an_arrow() throws Exception {
    FaultRecord.FILE.append(etcd, fault(2, "kill-leader", 22_000, 32_000, ""));
    for (long ms = 22_500; ms < 42_000; ms += 1_000) {
      put(ms, ms);
    }
    assertThat(report()).as(out.toString()).isZero();
    assertThat(run.resolve("index.html"))
        .content()
        .containsPattern("aria-label=\"&gt; 18.5 s, 1.00 s\">.*<path d=\"M");
  }

  @Test
  void an_outage_that_did_not_end_is_no_value_of_a_history(@TempDir Path history) throws Exception {
    for (String expected : List.of("", "\"outage\":")) {
      assertThat(report()).as(out.toString()).isZero();
      int exit =
          new CommandLine(new HistoryCommand())
              .setOut(new PrintWriter(out))
              .setErr(new PrintWriter(out))
              .execute(history.resolve("of" + expected.length()) + "", "--add", run.toString());
      assertThat(exit).as(out.toString()).isZero();
      assertThat(history.resolve("of" + expected.length()).resolve("history.ndjson"))
          .content()
          .contains("\"throughput\":", expected)
          .matches(text -> text.contains("outage") != expected.isEmpty());
      Files.delete(FaultRecord.history(etcd));
      for (long ms = 4_000; ms < 22_000; ms += 1_000) {
        put(ms, ms);
      }
    }
  }

  @Test
  void the_real_length_is_named_if_it_differs() {
    FaultRecord.FILE.append(etcd, fault(2, "pause-leader", 24_000, 31_000, ""));
    get(42, 4_000);
    assertThat(report()).as(out.toString()).isZero();
    assertThat(out.toString())
        .contains("etcd: pause-leader, injection 2, lasted 7.00 s instead of 5.00 s.")
        .doesNotContain("injection 1, lasted");
    assertThat(run.resolve("index.html")).content().contains("real length");
  }

  @Test
  void maintenance_is_shown_beside_an_equally_long_time_before() {
    FaultRecord.FILE.append(etcd, fault(2, "compact", 22_500, 23_000, "compacted"));
    for (long ms = 12_700; ms < 42_000; ms += 100) {
      put(ms, ms);
    }
    assertThat(report()).as(out.toString()).isZero();
    assertThat(out.toString())
        .contains(
            """
            etcd: 2, compact: compacted; writes stopped for at most 100 ms in the 9.80 s from its
              start, and 100 ms in as long before
            """);
  }

  @Test
  void a_repeated_event_outside_of_a_fault_is_named() {
    watched(10, 30_000, 3);
    assertThat(report()).as(out.toString()).isZero();
    assertThat(out.toString())
        .containsPattern("events lost +0\ntwice +0\n")
        .contains("etcd: watches reported 3 events twice, and 0 out of order, in the whole run.");
  }

  @Test
  void lost_writes_are_not_called_all_correct() throws Exception {
    Manifest manifest = Manifest.read(etcd.manifest());
    manifest
        .withVerification(
            new Verification(
                2, 2, 2, 0, 0, List.of(), 0, OptionalLong.empty(), true, Optional.empty(), 0))
        .write(etcd);
    get(42, 4_000);
    assertThat(report()).as(out.toString()).isZero();
    assertThat(run.resolve("index.html"))
        .content()
        .contains("2 acknowledged keys verified, all correct");

    get(41, 5_000);
    Files.delete(FaultRecord.history(etcd));
    assertThat(report()).as(out.toString()).isEqualTo(3);
    assertThat(run.resolve("index.html"))
        .content()
        .contains("2 acknowledged keys verified, none of these missing or wrong at the end")
        .doesNotContain("all correct");
  }

  @ParameterizedTest
  @CsvSource({"2, true", "0, false"})
  void only_what_was_read_back_is_called_correct(int keys, boolean said) throws Exception {
    Manifest.read(etcd.manifest())
        .withVerification(
            new Verification(
                keys,
                keys,
                keys,
                0,
                0,
                List.of(),
                0,
                OptionalLong.empty(),
                true,
                Optional.empty(),
                0))
        .write(etcd);
    report();
    assertThat(out.toString().contains(keys + " acknowledged keys read back, all correct"))
        .as(out.toString())
        .isEqualTo(said);
  }

  @Test
  void the_number_of_keys_that_were_read_of_each_member_is_named() {
    new MemberAgreement(10_000, OptionalLong.of(1_000_000), 0, List.of(), Optional.empty())
        .write(etcd);
    assertThat(report()).as(out.toString()).isZero();
    assertThat(out.toString()).contains("members: equal for 10,000 read of 1,000,000 keys");
  }
}
