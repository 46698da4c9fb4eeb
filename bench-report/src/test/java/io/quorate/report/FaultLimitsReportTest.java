// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.measure.Verification;
import io.quorate.results.FaultRecord;
import io.quorate.results.MemberAgreement;
import io.quorate.results.manifest.Manifest;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What a report of a run with faults must not leave open. */
class FaultLimitsReportTest extends FaultyRun {
  @Test
  void a_repeated_event_outside_of_a_fault_is_named() {
    watched(10, 30_000, 3);
    assertThat(report()).as(out.toString()).isZero();
    assertThat(out.toString())
        .contains("events lost: 0, twice: 0")
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

  @Test
  void the_number_of_keys_that_were_read_of_each_member_is_named() {
    new MemberAgreement(10_000, OptionalLong.of(1_000_000), 0, List.of(), Optional.empty())
        .write(etcd);
    assertThat(report()).as(out.toString()).isZero();
    assertThat(out.toString()).contains("members: equal for 10,000 read of 1,000,000 keys");
  }
}
