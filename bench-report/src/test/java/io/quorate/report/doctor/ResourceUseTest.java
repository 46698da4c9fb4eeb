// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.report.figures.OtherProcess;
import io.quorate.results.hosts.HostSamples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a machine with two CPUs was used for in a step. */
class ResourceUseTest {
  private static final long START = 1_795_816_620;

  @TempDir Path directory;

  /**
   * Reads rows: milliseconds since the start, busy, CPU time of the machine, others, their time.
   */
  private HostSamples rows(String... rows) throws IOException {
    StringBuilder text =
        new StringBuilder(
            "UNIX-NANOSECOND,UNIX-SECOND,CPUS,MACHINE-CPU-MILLISECONDS,MACHINE-TIME-MILLISECONDS,"
                + "PROCESS-CPU-OTHERS,OTHERS-TIME-MILLISECONDS,RECEIVE-BYTES-NUM,"
                + "TRANSMIT-BYTES-NUM\n");
    for (String row : rows) {
      String[] cells = row.split(",", 2);
      long millis = START * 1_000 + Long.parseLong(cells[0]);
      String bytes = cells[1].split(",", -1).length > 4 ? "" : ",,";
      text.append("%d000000,%d,2,%s%s%n".formatted(millis, millis / 1_000, cells[1], bytes));
    }
    return HostSamples.read(
        Files.writeString(directory.resolve("client-system-metrics.csv"), text));
  }

  private static ResourceUse cpu(HostSamples rows, long fromMillis, long toMillis) {
    return use(ResourceUse.Resource.CPU, rows, fromMillis, toMillis);
  }

  private static ResourceUse use(
      ResourceUse.Resource resource, HostSamples rows, long fromMillis, long toMillis) {
    double start = START * 1e3;
    return ResourceUse.ofMachine(
            "host",
            rows,
            OtherProcess.all(rows),
            new MeasuredStep(
                1,
                "with 1 client",
                start + fromMillis,
                start + toMillis,
                Optional.empty(),
                OptionalDouble.empty()))
        .stream()
        .filter(each -> each.resource() == resource)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void busy_time_is_divided_by_the_time_in_which_it_was_counted() throws IOException {
    // the second reading was 0.5 s later than its row says
    HostSamples rows = rows("0,0,0,,", "1000,2700,3000,,", "2000,2700,4000,,");

    assertThat(cpu(rows, 0, 1_000).utilizationText()).isEqualTo("90%");
    assertThat(cpu(rows, 0, 2_000).utilizationText()).isEqualTo("68%");
  }

  @Test
  void without_the_time_of_a_reading_cpus_are_never_busier_than_they_can_be() throws IOException {
    HostSamples rows = rows("0,0,,,", "1000,2700,,,", "2000,2700,,,");

    assertThat(cpu(rows, 0, 1_000).utilizationText()).isEqualTo("100%");
  }

  @Test
  void what_happened_before_and_after_the_step_is_not_added() throws IOException {
    HostSamples rows =
        rows(
            "0,0,0,,",
            "1000,2000,2000,cc1 1900,1000",
            "2000,2000,4000,,1000",
            "3000,4000,6000,cc1 1900,1000");

    assertThat(cpu(rows, 1_000, 2_000).utilizationText()).isEqualTo("0%");
    assertThat(cpu(rows, 1_000, 2_000).note()).isEmpty();
    assertThat(cpu(rows, 1_000, 2_500).utilizationText()).isEqualTo("33%");
    assertThat(cpu(rows, 1_000, 2_500).note())
        .isEqualTo("cc1, which is not part of the run, used 0.6 of 2 CPUs");
  }

  @Test
  void several_programs_are_not_added_up_under_the_name_of_one() throws IOException {
    HostSamples rows =
        rows(
            "0,0,0,,",
            "1000,2000,2000,java 1500,1000",
            "2000,4000,4000,cc1 1900,1000",
            "3000,6000,6000,java 1200,1000");

    assertThat(cpu(rows, 0, 3_000).note())
        .isEqualTo("java, which is not part of the run, used 0.9 of 2 CPUs");
  }

  @Test
  void a_program_is_divided_by_the_time_between_two_looks_at_it() throws IOException {
    HostSamples rows = rows("0,0,0,,", "1000,2700,2700,java 2700,1350");

    assertThat(cpu(rows, 0, 1_000).note())
        .isEqualTo("java, which is not part of the run, used 2.0 of 2 CPUs");
    assertThat(cpu(rows("0,0,,,", "1000,2700,,java 2700,"), 0, 1_000).note())
        .isEqualTo("java, which is not part of the run, used 2.0 of 2 CPUs");
  }

  @Test
  void bytes_in_both_directions_are_megabytes_a_second_of_the_step() throws IOException {
    HostSamples rows = rows("0,0,,,,0,0", "1000,0,,,,1000000,500000", "2000,0,,,,9000000,1000000");

    assertThat(use(ResourceUse.Resource.NETWORK, rows, 0, 2_000).utilizationText())
        .isEqualTo("5.0 MB/s");
  }
}
