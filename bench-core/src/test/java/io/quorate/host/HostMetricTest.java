// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.results.hosts.HostFiles;
import io.quorate.results.requests.Golden;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostMetricTest {
  private static final DiskReading DISK =
      new DiskReading("vda", 10, 100, 2_500, 20, 200, 276_207, 31_000);
  private static final NetworkReading NETWORK = new NetworkReading("lo", 5_009_390_546L, 7, 261, 3);

  private static Reading reading(
      long unixNanos, Optional<DiskReading> disk, Optional<NetworkReading> network, String extra) {
    ProcessReading process =
        new ProcessReading(
            1,
            "etcd",
            "S (sleeping)",
            List.of(2000L, 2001L),
            1,
            446.825,
            12_340,
            44_784_000,
            10_134_352_000L,
            19,
            18,
            762,
            287,
            1_234,
            300,
            -1,
            4_096,
            8_192);
    MachineReading machine =
        new MachineReading(
            List.of(0.285, 11.6, 6.0),
            2,
            4_000_000,
            1_774_070,
            3_380,
            684_793,
            13_160,
            0,
            1_055,
            7,
            16_945_557_504L,
            25_325_268_992L,
            "powersave");
    return new Reading(
        unixNanos,
        process,
        machine,
        disk,
        network,
        new OtherProcesses.Busiest("Web Content 820", 1_001),
        extra);
  }

  @Test
  void the_first_fifty_columns_are_those_of_the_reference() {
    String header =
        GoldenMetrics.text("live-client-system-metrics-interpolated.csv").split("\n")[0];
    assertThat(HostFiles.COLUMNS.subList(0, 50)).containsExactly(header.split(","));
    assertThat(HostFiles.COLUMNS).doesNotHaveDuplicates().hasSize(77);
    assertThat(HostMetric.all())
        .hasSize(77)
        .allMatch(
            each -> each.name().equals(each.column().replace(")", "").replaceAll("\\W", "_")));
    assertThat(HostMetric.all().get(49)).isEqualTo(HostMetric.EXTRA);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "de", "ru"})
  void a_row_reads_the_same_in_every_locale(String locale) {
    Golden.inLocale(
        locale,
        () -> {
          Reading first =
              reading(1_518_999_992_123_276_596L, Optional.of(DISK), Optional.of(NETWORK), "10");
          MetricRow row = MetricRow.of(first, Optional.empty());
          assertThat(String.join(",", row.cells(HostMetric.all())))
              .isEqualTo(
                  "1518999992123276596,1518999992,etcd,S (sleeping),2000,1,446.82 %,45 MB,10 GB,19,"
                      + "18,762,287,446.82,44784000,10134352000,0.28,11.60,6.00,vda,10,100,"
                      + "2 seconds,20,200,4 minutes,2500,276207,lo,5.0 GB,7,261 B,3,5009390546,261,"
                      + "0,0,0,0,0,0.00,0,0.00,,0,,0,0,0,10,"
                      + "2000 2001,12340,4096,8192,0,0,0,0,0,"
                      + "2,1774070,3380,1234,300,,684793,13160,0,31000,1055,7,16945557504,"
                      + "25325268992,powersave,Web Content 820,1001,4000000");
        });
  }

  @Test
  void deltas_are_the_growth_since_the_row_before() {
    MetricRow first =
        MetricRow.of(
            reading(1_000_000_000, Optional.of(DISK), Optional.of(NETWORK), ""), Optional.empty());
    DiskReading disk = new DiskReading("vda", 11, 2_316, 2_500, 22, 200, 276_207, 0);
    NetworkReading network = new NetworkReading("lo", 5_009_391_780L, 9, 300, 4);
    MetricRow second =
        MetricRow.of(
            reading(2_000_000_000, Optional.of(disk), Optional.of(network), ""),
            Optional.of(first));
    assertThat(second.cells(HostMetric.all().subList(35, 49)))
        .containsExactly(
            "1", "2216", "2", "0", "1134592", "1.13", "0", "0.00", "1.2 kB", "2", "39 B", "1",
            "1234", "39");
  }

  @Test
  void what_is_not_known_is_an_empty_cell_and_never_zero() {
    Reading reading = reading(1_000_000_000, Optional.empty(), Optional.empty(), "");
    MetricRow row = MetricRow.of(reading, Optional.of(MetricRow.of(reading, Optional.empty())));
    assertThat(row.cells(HostMetric.all().subList(19, 50))).containsOnly("");
  }

  @ParameterizedTest
  @CsvSource({
    "999,now",
    "1000,1 second",
    "59999,59 seconds",
    "60000,1 minute",
    "7199000,1 hour",
    "172800000,2 days",
    "604800000,1 week"
  })
  void durations_are_phrases(String milliseconds, String phrase) {
    Map<HostMetric, String> cells = new EnumMap<>(HostMetric.class);
    cells.put(HostMetric.MILLISECONDS_READS, milliseconds);
    assertThat(MetricRow.derived(cells, Optional.empty()).cell(HostMetric.TIME_READS))
        .isEqualTo(phrase);
  }
}
