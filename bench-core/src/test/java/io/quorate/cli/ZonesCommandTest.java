package io.quorate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.cluster.ZoneCheck;
import io.quorate.network.RoundTrip;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The table of round trips that a machine keeps. */
class ZonesCommandTest {
  private final StringWriter out = new StringWriter();

  @Test
  void
      a_round_trip_is_kept_within_a_tenth_of_a_millisecond_and_half_of_one_at_the_99th_percentile() {
    assertThat(
            print(
                new RoundTrip(1000, 300_000, 400_000, 800_000),
                new RoundTrip(1000, 500_000, 500_100, 600_000),
                new RoundTrip(1000, 1_500_000, 1_560_000, 1_700_000),
                new RoundTrip(1000, 5_000_000, 5_021_499, 5_100_000),
                new RoundTrip(199, 50_000_000, 50_030_000, 50_200_000)))
        .isTrue();
    assertThat(out.toString().lines())
        .containsExactly(
            "ROUND TRIP         MEDIAN          P99   PINGS",
            "no relay         0.020 ms     0.090 ms    1000",
            "0.3 ms           0.400 ms     0.800 ms    1000  kept",
            "0.5 ms           0.500 ms     0.600 ms    1000  kept",
            "1.5 ms           1.560 ms     1.700 ms    1000  kept",
            "5.0 ms           5.021 ms     5.100 ms    1000  kept",
            "50.0 ms         50.030 ms    50.200 ms     199  kept");
  }

  @Test
  void it_is_missed_by_the_median_or_by_the_99th_percentile() {
    assertThat(
            print(
                new RoundTrip(1000, 300_000, 400_001, 410_000),
                new RoundTrip(1000, 500_000, 510_000, 1_000_001),
                new RoundTrip(1000, 1_390_000, 1_399_999, 1_500_000),
                new RoundTrip(1000, 5_000_000, 5_010_000, 5_100_000),
                new RoundTrip(199, 50_000_000, 50_030_000, 50_200_000)))
        .isFalse();
    assertThat(out.toString().lines().skip(2))
        .extracting(line -> line.replaceAll(".* ", ""))
        .containsExactly("missed", "missed", "missed", "kept", "kept");
  }

  private boolean print(RoundTrip... relayed) {
    RoundTrip direct = new RoundTrip(1000, 15_000, 20_000, 90_000);
    return ZonesCommand.print(
        new ZoneCheck.Result(direct, List.of(relayed)), new PrintWriter(out, true));
  }
}
