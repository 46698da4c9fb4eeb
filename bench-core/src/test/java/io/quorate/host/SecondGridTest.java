// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SecondGridTest {
  /** Relative phrases, always 0 there, and thread counts there. */
  private static final Set<HostMetric> NEVER_THE_REFERENCES =
      EnumSet.of(
          HostMetric.TIME_READS,
          HostMetric.TIME_WRITES,
          HostMetric.READ_MEGABYTES_DELTA,
          HostMetric.WRITE_MEGABYTES_DELTA,
          HostMetric.VOLUNTARY_CTXT_SWITCHES,
          HostMetric.NON_VOLUNTARY_CTXT_SWITCHES);

  @TempDir Path directory;

  static Stream<Arguments> golden() {
    return GoldenMetrics.tags().stream()
        .flatMap(tag -> Stream.of(1, 2, 3).map(server -> Arguments.of(tag, server)));
  }

  @ParameterizedTest
  @MethodSource("golden")
  void without_a_missed_or_doubled_second_the_bytes_are_the_references(String tag, int server) {
    String raw = GoldenMetrics.interpolated(tag, server);
    assertThat(GoldenMetrics.parse(raw).interpolated().text()).isEqualTo(raw);
    if (server == 1) {
      assertThat(GoldenMetrics.raw(tag, server)).isEqualTo(raw);
    }
  }

  /**
   * The reference averages counters of a doubled second, so that missed seconds next to it differ,
   * too; and it draws deltas of missed seconds on a separate line. All other cells are the same.
   */
  @ParameterizedTest
  @MethodSource("golden")
  void everything_but_counters_of_doubled_and_deltas_of_missed_seconds_is_the_references(
      String tag, int server) {
    GoldenMetrics.MetricsFile raw = GoldenMetrics.parse(GoldenMetrics.raw(tag, server));
    GoldenMetrics.MetricsFile theirs = GoldenMetrics.parse(GoldenMetrics.interpolated(tag, server));
    GoldenMetrics.MetricsFile ours = raw.interpolated();
    List<Long> present = raw.rows().stream().map(SecondGrid::second).toList();
    assertThat(ours.rows()).hasSameSizeAs(theirs.rows());
    int compared = 0;
    for (int i = 0; i < ours.rows().size(); i++) {
      long second = SecondGrid.second(theirs.rows().get(i));
      long rows = present.stream().filter(each -> each == second).count();
      long lower = present.stream().filter(each -> each <= second).reduce((a, b) -> b).get();
      long upper = present.stream().filter(each -> each >= second).findFirst().get();
      boolean doubled =
          present.stream().filter(each -> each == lower).count() > 1
              || present.stream().filter(each -> each == upper).count() > 1;
      boolean afterGap = !present.contains(second - 1) && i > 0;
      for (HostMetric metric : HostMetric.all().subList(0, 50)) {
        boolean ofCounter =
            metric.fill() == GapFill.COUNTER
                || metric.name().startsWith("RECEIVE")
                || metric.name().startsWith("TRANSMIT")
                || metric.name().endsWith("DELTA");
        boolean delta = metric.name().endsWith("DELTA");
        if (NEVER_THE_REFERENCES.contains(metric)
            || doubled && ofCounter
            || (rows == 0 || afterGap) && delta) {
          continue;
        }
        compared++;
        assertThat(ours.rows().get(i).cell(metric))
            .as(metric + " of second " + second)
            .isEqualTo(theirs.rows().get(i).cell(metric));
      }
    }
    assertThat(compared).isGreaterThan(1_000);
  }

  private record Sample(int seconds, long growth, long level) {}

  @Provide
  Arbitrary<Sample> samples() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 4),
            Arbitraries.longs().between(0, 1_000_000_000),
            Arbitraries.longs().between(0, 1_000_000_000_000L))
        .as(Sample::new);
  }

  @Property(seed = "1", tries = 300)
  void the_sum_of_deltas_is_the_last_level_minus_the_first(
      @ForAll @Size(min = 1, max = 12) List<@From("samples") Sample> samples) {
    List<MetricRow> raw = new ArrayList<>();
    long second = 1_000;
    long counter = 5;
    for (Sample sample : samples) {
      second += sample.seconds();
      counter += sample.growth();
      Map<HostMetric, String> cells = cells(second, counter, sample.level());
      raw.add(
          MetricRow.derived(
              cells, raw.isEmpty() ? Optional.empty() : Optional.of(raw.get(raw.size() - 1))));
    }
    GoldenMetrics.MetricsFile metrics =
        new GoldenMetrics.MetricsFile(HostMetric.all(), raw).interpolated();
    List<MetricRow> rows = metrics.rows();
    long firstSecond = SecondGrid.second(raw.get(0));
    assertThat(rows).hasSize((int) (second - firstSecond + 1));
    long sum = 0;
    for (int i = 0; i < rows.size(); i++) {
      assertThat(SecondGrid.second(rows.get(i))).isEqualTo(firstSecond + i);
      long delta = rows.get(i).whole(HostMetric.WRITES_COMPLETED_DELTA).getAsLong();
      assertThat(delta).isNotNegative();
      if (i > 0) {
        long level = rows.get(i).whole(HostMetric.WRITES_COMPLETED).getAsLong();
        long before = rows.get(i - 1).whole(HostMetric.WRITES_COMPLETED).getAsLong();
        assertThat(delta).isEqualTo(level - before);
      }
      sum += delta;
    }
    long first = raw.get(0).whole(HostMetric.WRITES_COMPLETED).getAsLong();
    assertThat(sum).isEqualTo(counter - first);
    // it is a fixed point: interpolated rows need no interpolation
    assertThat(metrics.interpolated().text()).isEqualTo(metrics.text());
  }

  private static Map<HostMetric, String> cells(long second, long counter, long level) {
    Map<HostMetric, String> cells = new EnumMap<>(HostMetric.class);
    for (HostMetric metric : HostMetric.all()) {
      switch (metric.fill()) {
        case LATEST -> cells.put(metric, "x");
        case COUNTER -> cells.put(metric, Long.toString(counter));
        case LEVEL -> cells.put(metric, Long.toString(level));
        case DECIMAL -> cells.put(metric, level + ".25");
        case DERIVED -> {}
      }
    }
    cells.put(HostMetric.UNIX_NANOSECOND, second + "000000000");
    cells.put(HostMetric.UNIX_SECOND, Long.toString(second));
    return cells;
  }

  private static MetricRow row(long second, long counter, long level) {
    return MetricRow.derived(cells(second, counter, level), Optional.empty());
  }

  @Test
  void a_doubled_second_has_the_mean_of_levels_and_the_last_of_counters() {
    GoldenMetrics.MetricsFile raw =
        new GoldenMetrics.MetricsFile(
            HostMetric.all(), List.of(row(5, 100, 10), row(6, 110, 20), row(6, 170, 41)));
    List<MetricRow> rows = raw.interpolated().rows();
    assertThat(rows).hasSize(2);
    assertThat(rows.get(1).cell(HostMetric.UNIX_NANOSECOND)).isEqualTo("0");
    assertThat(rows.get(1).cell(HostMetric.VMRSS_NUM)).isEqualTo("30");
    assertThat(rows.get(1).cell(HostMetric.CPU)).isEqualTo("30.75 %");
    assertThat(rows.get(1).cell(HostMetric.READS_COMPLETED)).isEqualTo("170");
    assertThat(rows.get(1).cell(HostMetric.READS_COMPLETED_DELTA)).isEqualTo("70");
  }

  @Test
  void all_rows_in_one_second_become_one() {
    GoldenMetrics.MetricsFile raw =
        new GoldenMetrics.MetricsFile(HostMetric.all(), List.of(row(5, 100, 10), row(5, 110, 20)));
    List<MetricRow> rows = raw.interpolated().rows();
    assertThat(rows).hasSize(1);
    assertThat(rows.get(0).cell(HostMetric.READS_COMPLETED_DELTA)).isEqualTo("10");
  }

  @Test
  void missed_figures_stay_missed() {
    Map<HostMetric, String> cells = cells(5, 100, 10);
    cells.put(HostMetric.READS_COMPLETED, "");
    MetricRow without = MetricRow.derived(cells, Optional.empty());
    GoldenMetrics.MetricsFile raw =
        new GoldenMetrics.MetricsFile(HostMetric.all(), List.of(without, row(8, 130, 10)));
    List<MetricRow> rows = raw.interpolated().rows();
    assertThat(rows.stream().map(each -> each.cell(HostMetric.READS_COMPLETED)))
        .containsExactly("", "", "", "130");
    assertThat(rows.stream().map(each -> each.cell(HostMetric.READS_COMPLETED_DELTA)))
        .containsExactly("", "", "", "");
    assertThat(rows.stream().map(each -> each.cell(HostMetric.WRITES_COMPLETED_DELTA)))
        .containsExactly("0", "10", "10", "10");
  }

  @Test
  void a_repeated_run_replaces_the_file() throws IOException {
    Path raw =
        Files.writeString(
            directory.resolve("raw.csv"), GoldenMetrics.raw("etcd-v3.3.0-go1.9.3", 3));
    Path interpolated = directory.resolve("interpolated.csv");
    SecondGrid.write(raw, interpolated);
    String once = Files.readString(interpolated);
    SecondGrid.write(raw, interpolated);
    assertThat(interpolated).hasContent(once);
    assertThat(once.lines().filter(line -> line.startsWith("UNIX"))).hasSize(1);
  }

  @Test
  void a_line_that_a_kill_cut_off_is_left_out_and_a_second_header_too() {
    String raw = GoldenMetrics.raw("etcd-v3.3.0-go1.9.3", 1);
    String header = raw.substring(0, raw.indexOf('\n') + 1);
    String cut = raw + header + raw.substring(raw.length() - 50, raw.length() - 10);
    assertThat(GoldenMetrics.parse(cut).text()).isEqualTo(raw);
    assertThat(GoldenMetrics.parse(header).interpolated().text()).isEqualTo(header);
  }

  @Test
  void columns_may_be_missing_or_in_another_order_but_not_unknown() {
    String raw = "UNIX-SECOND,CPUS,UNIX-NANOSECOND\n5,2,5100000000\n7,2,7100000000\n";
    assertThat(GoldenMetrics.parse(raw).interpolated().text())
        .isEqualTo("UNIX-SECOND,CPUS,UNIX-NANOSECOND\n5,2,0\n6,2,0\n7,2,0\n");
    assertThatThrownBy(() -> GoldenMetrics.parse(raw.replace("CPUS", "GPUS")))
        .hasMessageContaining("/metrics.csv:1: found the unknown column GPUS, expected");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "a,b\n", "\"", "\u0000\n", "UNIX-NANOSECOND,PROGRAM\n1,etcd\n"})
  void what_is_no_such_file_is_refused(String text) {
    assertThatThrownBy(() -> GoldenMetrics.parse(text))
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining("metrics.csv");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "NaN", "1e9", "99999999999999999999", "0x10", "١", " 1"})
  void a_cell_that_is_no_number_is_refused(String cell) {
    String raw = GoldenMetrics.raw("etcd-v3.3.0-go1.9.3", 1);
    assertThatThrownBy(() -> GoldenMetrics.parse(raw.replace(",1451,", "," + cell + ",")))
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining(":2: found")
        .hasMessageContaining("READS-COMPLETED");
  }

  @Test
  void a_clock_that_was_set_is_refused() {
    List<MetricRow> days = List.of(row(5, 1, 1), row(90_000, 2, 2));
    assertThatThrownBy(() -> new GoldenMetrics.MetricsFile(HostMetric.all(), days).interpolated())
        .isInstanceOf(QuorateException.class)
        .hasMessage("no host metrics between second 5 and second 90000");
  }
}
