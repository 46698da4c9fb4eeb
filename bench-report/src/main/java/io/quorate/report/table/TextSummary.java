// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.table;

import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import io.quorate.results.requests.ClientResults;
import java.util.Arrays;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * Formats the results of one database as etcd's benchmark tool does. Lines without a value are left
 * out. All times are in seconds; Summary is exact, the rest has the precision of the histogram.
 */
public final class TextSummary {
  private static final int INTERVALS = 10;
  private static final int MAX_BAR = 40;

  private final ClientResults results;
  private final Histogram histogram;
  private final StringBuilder text = new StringBuilder();

  private TextSummary(ClientResults results, Histogram histogram) {
    this.results = results;
    this.histogram = histogram;
  }

  /**
   * Returns the text.
   *
   * @param histogram histogram of the latencies in nanoseconds
   */
  public static String text(ClientResults results, Histogram histogram) {
    TextSummary summary = new TextSummary(results, histogram);
    summary.figures();
    summary.histogram();
    summary.percentiles();
    summary.errors();
    return summary.text.toString();
  }

  private void figures() {
    text.append("\nSummary:\n");
    figure("Total", results.totalSeconds());
    results.latency().ifPresent(this::latencies);
    results
        .requestsPerSecond()
        .ifPresent(value -> text.append("  Requests/sec:\t").append(p(value)).append('\n'));
  }

  private void latencies(ClientResults.Latency latency) {
    figure("Slowest", latency.slowestMs() / 1000);
    figure("Fastest", latency.fastestMs() / 1000);
    figure("Average", latency.averageMs() / 1000);
    figure("Stddev", latency.standardDeviationMs() / 1000);
  }

  private void figure(String name, double seconds) {
    if (Double.isFinite(seconds)) {
      text.append("  ").append(name).append(":\t").append(p(seconds)).append(" secs.\n");
    }
  }

  /** Adds eleven buckets by their upper ends: the fastest, nine in equal steps, the slowest. */
  private void histogram() {
    if (results.latency().isEmpty() || histogram.getTotalCount() == 0) {
      return;
    }
    double fastest = results.fastestNanos().orElseThrow();
    double slowest = results.slowestNanos().orElseThrow();
    double step = (slowest - fastest) / INTERVALS;
    double[] ends = new double[INTERVALS + 1];
    for (int i = 0; i < INTERVALS; i++) {
      ends[i] = fastest + step * i;
    }
    ends[INTERVALS] = slowest;
    long[] counts = counts(ends);
    long most = Math.max(1, Arrays.stream(counts).max().orElse(1));
    text.append("\nResponse time histogram:\n");
    for (int i = 0; i < counts.length; i++) {
      String bar = "∎".repeat((int) (counts[i] * MAX_BAR / most));
      text.append("  ").append(p(ends[i] / 1e9)).append(" [").append(counts[i]).append("]\t|");
      text.append(bar).append('\n');
    }
  }

  private long[] counts(double[] ends) {
    long[] counts = new long[ends.length];
    int bucket = 0;
    for (HistogramIterationValue value : histogram.recordedValues()) {
      double nanos = histogram.lowestEquivalentValue(value.getValueIteratedTo());
      while (bucket < INTERVALS && nanos > ends[bucket]) {
        bucket++;
      }
      counts[bucket] += value.getCountAtValueIteratedTo();
    }
    return counts;
  }

  private void percentiles() {
    if (results.latency().isPresent()) {
      text.append("\nLatency distribution:\n");
      for (var each : results.latency().get().percentilesMs().entrySet()) {
        text.append(
            "  %s in %s secs.\n".formatted(each.getKey().percentText(), p(each.getValue() / 1000)));
      }
    }
  }

  private void errors() {
    if (!results.errors().isEmpty()) {
      text.append("\nError distribution:\n");
    }
    for (ClientResults.ErrorCount error : results.errors()) {
      text.append("  [").append(error.count()).append("]\t");
      text.append(VisibleText.of(error.message())).append('\n');
    }
  }

  private static String p(double value) {
    return NumberFormats.fixed(value, 4);
  }
}
