// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.measure.ErrorTally;
import io.quorate.measure.Latencies;
import io.quorate.measure.Measurements;
import io.quorate.measure.SecondMeasurement;
import io.quorate.measure.StepMeasurement;
import io.quorate.measure.SuccessGaps;
import io.quorate.report.TestRuns;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.results.requests.Golden;
import java.nio.file.Path;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextSummaryTest {
  private static final String TEN_LATENCIES =
      """

      Summary:
        Total:	5.5000 secs.
        Slowest:	1.0000 secs.
        Fastest:	0.1000 secs.
        Average:	0.5500 secs.
        Stddev:	0.2867 secs.
        Requests/sec:	1.8182

      Response time histogram:
        0.1000 [1]	|∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎
        0.1900 [0]	|
        0.2800 [2]	|∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎
        0.3700 [0]	|
        0.4600 [1]	|∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎
        0.5500 [1]	|∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎
        0.6400 [1]	|∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎
        0.7300 [1]	|∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎
        0.8200 [1]	|∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎
        0.9100 [1]	|∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎
        1.0000 [1]	|∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎∎

      Latency distribution:
        10% in 0.1000 secs.
        25% in 0.2802 secs.
        50% in 0.5002 secs.
        75% in 0.8001 secs.
        90% in 0.9002 secs.
        95% in 1.0000 secs.
        99% in 1.0000 secs.
        99.9% in 1.0000 secs.
      """;

  @TempDir Path results;

  @ParameterizedTest
  @ValueSource(strings = {"en", "de", "ru"})
  void isWhatEtcdsBenchmarkPrints(String locale) {
    long ms = 1_000_000;
    StepMeasurement step =
        Golden.step(
            1, 100, 100 * ms, 220 * ms, 280 * ms, 400 * ms, 500 * ms, 600 * ms, 700 * ms, 800 * ms,
            900 * ms, 1000 * ms);
    Golden.inLocale(locale, () -> assertThat(summary(step)).isEqualTo(TEN_LATENCIES));
  }

  @Test
  void whatIsMissingIsLeftOut() {
    var errors =
        List.of(
            new ErrorTally("other", "say \"no\"\\", 2, 1),
            new ErrorTally("rejected", "no leader\u001b[2J", 3, 1));
    var second = new SecondMeasurement(100, Latencies.NONE, errors);
    var step =
        Measurements.ofPuts(
            1,
            2_000_000_000,
            Latencies.NONE,
            new Histogram(3),
            List.of(second),
            new SuccessGaps(0, List.of()));
    assertThat(summary(step))
        .isEqualTo(
            """

            Summary:
              Total:	2.0000 secs.
              Requests/sec:	0.0000

            Error distribution:
              [3]	no leader\\x1b[2J
              [2]	say "no"\\
            """);
  }

  @Test
  void oneLatencyIsBothTheFastestAndTheSlowest() {
    assertThat(summary(Golden.step(1, 100, 2_000_000)))
        .contains("Response time histogram:\n  0.0020 [1]\t|∎∎∎∎", "  0.0020 [0]\t|\n");
  }

  private String summary(StepMeasurement step) {
    var run = TestRuns.write(results, "etcd", "etcd", 1, 10, List.of(step));
    return TextSummary.text(DatabaseFigures.of(run).requests(), run.clients().orElseThrow());
  }
}
