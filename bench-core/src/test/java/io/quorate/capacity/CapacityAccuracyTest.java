// SPDX-License-Identifier: Apache-2.0
package io.quorate.capacity;

import static io.quorate.capacity.SimulatedStore.exponential;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.Nightly;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Makes the table of the guide with the accuracy of searches: 100 of each simulated store. */
@Nightly
class CapacityAccuracyTest {
  private static final Path GUIDE =
      Path.of(
          System.getProperty("quorate.home"), "src/site/markdown/explanation/capacity-accuracy.md");

  private static final int SEARCHES = 100;

  /** The rules were developed with others. */
  private static final long FIRST_SEED = 50_001;

  private static final double PERCENT = 100;

  /**
   * A row of the table.
   *
   * @param truth the highest rate within the limit; 0 if there is none
   */
  private record Row(String name, SimulatedStore store, double truth) {
    private String text(SearchPlan plan) {
      long start = Math.round(SimulatedCapacityTest.serviceRate(truth == 0 ? 770 : truth) / 2);
      List<SimulatedSearch> all =
          LongStream.range(FIRST_SEED, FIRST_SEED + SEARCHES)
              .parallel()
              .mapToObj(seed -> SimulatedSearch.of(store, plan, start, seed))
              .toList();
      List<SimulatedSearch> known =
          all.stream().filter(search -> search.conclusion().isKnown()).toList();
      double right = known.stream().filter(search -> search.isRight(truth, plan)).count();
      double[] widths = known.stream().mapToDouble(SimulatedSearch::width).sorted().toArray();
      return String.format(
          Locale.ROOT,
          "| %s%s | %.1f%% | %s | %s | %.1f |",
          name,
          plan == SearchPlan.QUICK ? ", `--quick`" : "",
          PERCENT * known.size() / SEARCHES,
          known.isEmpty() ? "-" : "%.1f%%".formatted(PERCENT * right / known.size()),
          known.isEmpty() ? "-" : "%.0f%%".formatted(PERCENT * widths[widths.length / 2]),
          all.stream().mapToInt(search -> search.trials().size()).average().orElseThrow());
    }
  }

  /** The rates of stores with stalls are those of 20 simulated hours. */
  private static List<Row> rows() {
    SimulatedStore fast = exponential(1_000);
    Stream<Row> plain =
        Stream.of(75, 130, 200, 374, 770, 900)
            .map(
                rate ->
                    new Row(
                        "nothing else, %d/s".formatted(rate),
                        exponential(SimulatedCapacityTest.serviceRate(rate)),
                        rate));
    Stream<Row> others =
        Stream.of(
            new Row("speed differs by 1% from trial to trial", fast.withNoise(0.01), 769.7),
            new Row("speed differs by 3%", fast.withNoise(0.03), 769.7),
            new Row(
                "speed differs by 1%, stalls of 0.5 s every 5 minutes",
                fast.withNoise(0.01).withStalls(300, 0.5), 726),
            new Row("stalls of 30 ms every 5 s", fast.withStalls(5, 0.03), 665),
            new Row("a neighbor holds it for 0.2 s every 30 s", fast.withStalls(30, 0.2), 395),
            new Row("freezes for 2 s every 30 s", fast.withStalls(30, 2), 0),
            new Row("freezes for 2 s every minute", fast.withStalls(60, 2), 0),
            new Row("freezes for 2 s every 2 minutes", fast.withStalls(120, 2), 0));
    return Stream.concat(plain, others).toList();
  }

  @Test
  void theGuideHasTheAccuracyOfTheSimulatedSearches() throws IOException {
    List<String> table =
        Stream.of(SearchPlan.FULL, SearchPlan.QUICK)
            .flatMap(plan -> rows().stream().map(row -> row.text(plan)))
            .toList();

    assertThat(Files.readAllLines(GUIDE)).containsSequence(table);
  }
}
