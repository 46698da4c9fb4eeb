// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.results.DatabaseDirectory;
import io.quorate.results.hosts.HostFiles;
import io.quorate.results.hosts.HostMeasurements;
import io.quorate.results.latency.LatencyInterval;
import io.quorate.results.latency.LatencyTag;
import io.quorate.results.latency.Percentile;
import io.quorate.stores.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A made-up run of an hour: a member leaks memory, the database grows, and files do not. */
class SoakTrendTest {
  private static final long FIRST = 1_700_000_000;
  private static final int SECONDS = 3600;
  private static final LatencyTag TAG = LatencyTag.response(1, "put");

  @TempDir private Path directory;

  private final Random random = new Random(1);
  private final List<LatencyInterval> intervals = new ArrayList<>();
  private HostFiles files;

  @BeforeEach
  void anHour() throws IOException {
    files = new HostFiles(new DatabaseDirectory(directory));
    List<String> rows = new ArrayList<>(List.of("UNIX-NANOSECOND,UNIX-SECOND,VMRSS-NUM,FD"));
    List<String> internals = new ArrayList<>(List.of("UNIX-SECOND,MEMBER,METRIC,VALUE"));
    for (int i = 0; i < SECONDS; i++) {
      long second = FIRST + i;
      rows.add(row(second));
      internals.add(second + ",1,etcd_mvcc_db_total_size_in_bytes," + (50_000_000L + 10_000L * i));
      internals.add(second + ",1,etcd_server_proposals_pending," + i);
      long nanos = (long) (5e6 + 1e6 * random.nextGaussian());
      long[] percentiles = new long[Percentile.values().length];
      percentiles[Percentile.P99.ordinal()] = nanos;
      intervals.add(
          new LatencyInterval(
              TAG,
              second * 1000,
              second * 1000 + 1000,
              100,
              percentiles,
              nanos,
              60,
              new int[] {1}));
    }
    Files.write(files.server(1), rows);
    Files.write(
        files.serverSteps(1),
        List.of(
            "STEP,BOUNDARY," + rows.get(0),
            "1,begin," + row(FIRST),
            "1,end," + row(FIRST + SECONDS)));
    Files.write(files.internals(), internals);
  }

  /** Returns a row of a process that leaks 20 MB in an hour, on top of 200 MB with noise. */
  private String row(long second) {
    double bytes = 200e6 + 20e6 * (second - FIRST) / SECONDS + 5e6 * random.nextGaussian();
    return "%d000000000,%1$d,%d,%d".formatted(second, (long) bytes, 50 + random.nextInt(3));
  }

  private List<SoakTrend> trends(long last) {
    return SoakTrend.of(
        new HostMeasurements(files.directory()),
        Stores.knowledge("etcd").dataSize(),
        intervals,
        FIRST,
        last);
  }

  @Test
  void what_leaks_is_named_with_its_slope() {
    List<SoakTrend> trends = trends(FIRST + SECONDS - 1);
    assertThat(trends)
        .extracting(SoakTrend::title)
        .containsExactly(
            "memory of member 1", "open files of member 1", "database size of member 1", "p99");
    SoakTrend memory = trends.get(0);
    assertThat(memory.trend().from()).isLessThan(20e6);
    assertThat(memory.trend().to()).isGreaterThan(20e6);
    assertThat(memory.verdict()).matches("grows by [0-9.]+ MB/h \\(95%: [0-9.]+ to [0-9.]+\\)");
    assertThat(trends.get(2).verdict()).isEqualTo("grows by 36.0 MB/h (95%: 36.0 to 36.0)");
    assertThat(trends.get(1).verdict()).isEqualTo("no growth found");
    assertThat(trends.get(3).verdict()).isEqualTo("no growth found");
    assertThat(trends.get(3).median()).matches("[45]\\.[0-9]{2} ms");
  }

  @Test
  void without_a_column_the_other_trends_remain() throws IOException {
    for (Path file : List.of(files.server(1), files.serverSteps(1))) {
      Files.writeString(file, Files.readString(file).replaceAll(",[^,\n]*(?=\n)", ""));
    }
    assertThat(trends(FIRST + SECONDS - 1))
        .extracting(SoakTrend::title)
        .containsExactly("memory of member 1", "database size of member 1", "p99");
  }

  @Test
  void a_short_run_has_no_trends() {
    assertThat(trends(FIRST + SoakTrend.LEAST_SECONDS - 2)).isEmpty();
    assertThat(trends(FIRST + SoakTrend.LEAST_SECONDS - 1)).hasSize(4);
  }
}
