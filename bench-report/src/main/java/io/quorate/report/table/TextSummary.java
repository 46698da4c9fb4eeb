// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.table;

import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import io.quorate.measure.Latencies;
import io.quorate.report.figures.RequestFigures;
import io.quorate.results.latency.LatencySummary;
import io.quorate.results.requests.ClientResults;
import java.util.Arrays;
import java.util.Optional;
import org.HdrHistogram.HistogramIterationValue;

/**
 * Formats the results of one database as etcd's benchmark tool does. Lines without a value are left
 * out. All times are in seconds; Summary is exact, the rest has the precision of the histogram.
 */
public final class TextSummary {
  private static final int INTERVALS = 10;
  private static final int MAX_BAR = 40;

  private final RequestFigures requests;
  private final ClientResults results;
  private final StringBuilder text = new StringBuilder();

  private TextSummary(RequestFigures requests, ClientResults results) {
    this.requests = requests;
    this.results = results;
  }

  /**
   * Returns the text.
   *
   * @param requests all requests of the results
   */
  public static String text(RequestFigures requests, ClientResults results) {
    TextSummary summary = new TextSummary(requests, results);
    summary.figures();
    summary.histogram();
    summary.percentiles();
    summary.errors();
    return summary.text.toString();
  }

  private void figures() {
    text.append("\nSummary:\n");
    figure("Total", results.totalSeconds());
    requests.latency().ifPresent(this::latencies);
    results
        .requestsPerSecond()
        .ifPresent(value -> text.append("  Requests/sec:\t").append(p(value)).append('\n'));
  }

  private void latencies(LatencySummary latency) {
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
    if (requests.latency().isEmpty() || requests.response().getTotalCount() == 0) {
      return;
    }
    Latencies exact = results.latencies(any -> true, Optional.empty());
    double fastest = exact.minNanos();
    double slowest = exact.maxNanos();
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
    for (HistogramIterationValue value : requests.response().recordedValues()) {
      double nanos = requests.response().lowestEquivalentValue(value.getValueIteratedTo());
      while (bucket < INTERVALS && nanos > ends[bucket]) {
        bucket++;
      }
      counts[bucket] += value.getCountAtValueIteratedTo();
    }
    return counts;
  }

  private void percentiles() {
    if (requests.latency().isPresent()) {
      text.append("\nLatency distribution:\n");
      for (var each : requests.percentilesMs().entrySet()) {
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
