// SPDX-License-Identifier: Apache-2.0
package io.quorate.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.report.GoldenRun;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class DoctorCommandTest {
  @TempDir private Path directory;

  private final StringWriter out = new StringWriter();

  /** Explains a run with stalls, whose second member has this p99 of its fsyncs. */
  private int explain(double seconds) {
    GoldenRun run = new GoldenRun(directory, "etcd");
    long first = Long.parseLong(run.read("etcd/seconds.csv").split("\n")[1].split(",")[2]);
    StringBuilder tenths =
        new StringBuilder(
            "STEP,OPERATION,START-UNIX-MILLIS,END-UNIX-MILLIS,SUCCEEDED,P99-NANOS,MAX-NANOS\n");
    StringBuilder events = new StringBuilder();
    for (long at = 1_000 * first; at < 1_000 * (first + 60); at += 100) {
      int millis = at % 10_000 == 700 ? 700 : 2;
      tenths.append("1,put,%d,%d,50,%d000000,%3$d000000%n".formatted(at, at + 100, millis));
      if (millis == 700) {
        events.append(
            "{\"kind\":\"server-log\",\"source\":\"\\u001b[31metcd-2\",\"step\":1,\"startUnixNanos\":%d000000,\"endUnixNanos\":%1$d000000,\"dropped\":0,\"text\":\"slow fdatasync\"}\n"
                .formatted(at));
      }
    }
    run.write("etcd/tenths.csv", tenths.toString());
    run.write("etcd/events.jsonl", events.toString());
    run.write(
        "etcd/server-internals.csv",
        "UNIX-SECOND,MEMBER,METRIC,VALUE\n"
            + "%d,2,etcd_disk_wal_fsync_duration_seconds_p99,%s\n".formatted(first, seconds));
    return new CommandLine(new DoctorCommand())
        .setOut(new PrintWriter(out, true))
        .execute(run.directory().toString());
  }

  @Test
  void the_exit_code_is_3_if_a_check_is_bad() {
    assertThat(explain(0.6)).isEqualTo(3);
    assertThat(out.toString())
        .contains("\u2717  etcd-wal-fsync  etcd-2 600 ms; recommended: p99 below 10 ms\n");
  }

  @Test
  void a_warning_is_printed_and_the_exit_code_is_0() {
    assertThat(explain(0.4)).isZero();
    assertThat(out.toString())
        .contains("~  etcd-wal-fsync  etcd-2 400 ms; recommended: p99 below 10 ms\n");
  }

  @Test
  void texts_of_files_do_not_command_the_terminal() {
    explain(0.4);
    assertThat(out.toString()).contains("\\x1b[31metcd-2").doesNotContain("\u001b");
  }
}
