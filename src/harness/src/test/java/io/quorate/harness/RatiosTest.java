// SPDX-License-Identifier: Apache-2.0
package io.quorate.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RatiosTest {
  @Test
  void the_middle_and_the_ends_of_all_pairs_are_shown() {
    Figures theirs = new Figures(10_000, 50, 40);
    List<Ratios.Pair> pairs =
        List.of(
            new Ratios.Pair(new Figures(12_000, 20, 30), theirs),
            new Ratios.Pair(new Figures(15_000, 30, 36), theirs),
            new Ratios.Pair(new Figures(11_000, 25, 44), theirs));

    assertThat(Ratios.table(pairs))
        .isEqualTo(
            """
            ours / theirs                   median    lowest   highest
            requests per second               1.20      1.10      1.50
            CPU per request                   0.50      0.40      0.60
            median latency                    0.90      0.75      1.10
            """);
  }

  @Test
  void of_an_even_number_of_pairs_the_median_lies_between_the_two_in_the_middle() {
    Figures theirs = new Figures(100, 100, 100);
    List<Ratios.Pair> pairs =
        List.of(
            new Ratios.Pair(new Figures(100, 100, 100), theirs),
            new Ratios.Pair(new Figures(200, 200, 200), theirs));

    assertThat(Ratios.table(pairs)).contains("CPU per request                   1.50      1.00");
  }
}
