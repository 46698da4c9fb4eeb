package io.quorate.results.requests;

import io.quorate.format.CsvText;
import io.quorate.format.GoText;
import io.quorate.format.NumberFormats;
import io.quorate.measure.Latencies;
import io.quorate.measure.SecondMeasurement;
import io.quorate.measure.StepMeasurement;
import io.quorate.results.ClientFile;
import io.quorate.results.latency.Percentile;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.HistogramIterationValue;

/**
 * Formats the five client files of the reference (dbtester), with its names, columns and formats:
 * all operations together. {@code src/site/markdown/results.md} defines every figure.
 *
 * <p>TOTAL-SECONDS, REQUESTS-PER-SECOND, SLOWEST, FASTEST, AVERAGE and STDDEV are exact;
 * percentiles and the distribution come from the histogram and are as exact as that (4 significant
 * digits). Where nothing succeeded there are no latencies: their rows are left out.
 */
final class DbtesterExport {
  private static final int MS_DECIMALS = 6;
  private static final int SUMMARY_DECIMALS = 4;
  private static final long BUCKET_NANOS = 10_000_000;

  private DbtesterExport() {}

  /** Returns the files in the order in which they are to be written, the summary last. */
  static Map<ClientFile, CsvText> files(List<StepMeasurement> steps) {
    RunTotals totals = RunTotals.of(steps);
    Map<ClientFile, CsvText> files = new LinkedHashMap<>();
    files.put(ClientFile.TIME_SERIES, timeSeries(steps));
    files.put(ClientFile.BY_KEY_NUMBER, byKeyNumber(steps));
    files.put(ClientFile.DISTRIBUTION, distribution(totals));
    files.put(ClientFile.PERCENTILES, percentiles(totals));
    files.put(ClientFile.SUMMARY, summary(totals));
    return files;
  }

  private static CsvText summary(RunTotals totals) {
    CsvText csv = new CsvText();
    summaryRow(csv, SummaryName.TOTAL_SECONDS, seconds(totals.elapsedNanos()));
    if (totals.elapsedNanos() > 0) {
      double throughput = totals.successes().count() / seconds(totals.elapsedNanos());
      summaryRow(csv, SummaryName.REQUESTS_PER_SECOND, throughput);
    }
    if (totals.hasSuccesses()) {
      Latencies all = totals.successes();
      summaryRow(csv, SummaryName.SLOWEST_LATENCY_MS, 1000 * seconds(all.maxNanos()));
      summaryRow(csv, SummaryName.FASTEST_LATENCY_MS, 1000 * seconds(all.minNanos()));
      summaryRow(csv, SummaryName.AVERAGE_LATENCY_MS, all.meanNanos() / 1e6);
      summaryRow(csv, SummaryName.STDDEV_LATENCY_MS, all.standardDeviationNanos() / 1e6);
    }
    for (Map.Entry<String, Long> error : totals.errorCounts()) {
      csv.row(
          SummaryName.ERROR_PREFIX + GoText.quoted(error.getKey()), error.getValue().toString());
    }
    return totals.errorCounts().isEmpty() ? csv.row(SummaryName.NO_ERROR, "0") : csv;
  }

  private static void summaryRow(CsvText csv, SummaryName name, double value) {
    csv.row(name.toString(), NumberFormats.fixed(value, SUMMARY_DECIMALS));
  }

  /** Converts nanoseconds to seconds as the reference does, so that the last digit is the same. */
  private static double seconds(long nanos) {
    return nanos / 1_000_000_000L + (nanos % 1_000_000_000L) / 1e9;
  }

  private static CsvText percentiles(RunTotals totals) {
    CsvText csv = new CsvText().row(ClientFile.PERCENTILES.columns());
    if (totals.hasSuccesses()) {
      for (Percentile percentile : Percentile.values()) {
        Latencies exact = totals.successes();
        long nanos = percentile.of(totals.histogram(), exact.minNanos(), exact.maxNanos());
        csv.row(percentile.label(), ms(nanos));
      }
    }
    return csv;
  }

  /**
   * Returns buckets of 10 ms from the first to the last that is not empty, named by their lower
   * end.
   */
  private static CsvText distribution(RunTotals totals) {
    TreeMap<Long, Long> counts = new TreeMap<>();
    for (HistogramIterationValue step : totals.histogram().recordedValues()) {
      long middle = totals.histogram().medianEquivalentValue(step.getValueIteratedTo());
      Latencies exact = totals.successes();
      long nanos = Math.max(exact.minNanos(), Math.min(exact.maxNanos(), middle));
      counts.merge(nanos / BUCKET_NANOS, step.getCountAtValueIteratedTo(), Long::sum);
    }
    CsvText csv = new CsvText().row(ClientFile.DISTRIBUTION.columns());
    if (!counts.isEmpty()) {
      for (long bucket = counts.firstKey(); bucket <= counts.lastKey(); bucket++) {
        csv.row(Long.toString(bucket * 10), Long.toString(counts.getOrDefault(bucket, 0L)));
      }
    }
    return csv;
  }

  /**
   * Returns one row per second and step: where a step begins in the second in which another ended,
   * there are two. A second without successes has throughput 0, and the zeros beside it are no
   * latencies.
   */
  private static CsvText timeSeries(List<StepMeasurement> steps) {
    CsvText csv = new CsvText().row(ClientFile.TIME_SERIES.columns());
    for (StepMeasurement step : steps) {
      for (SecondMeasurement second : step.seconds()) {
        Latencies successes = second.successes();
        csv.row(
            Long.toString(second.unixSecond()),
            Integer.toString(step.clients()),
            minMs(successes),
            averageMs(successes),
            ms(successes.maxNanos()),
            Long.toString(successes.count()));
      }
    }
    return csv;
  }

  private static CsvText byKeyNumber(List<StepMeasurement> steps) {
    List<Latencies> seconds =
        steps.stream()
            .flatMap(step -> step.seconds().stream())
            .sorted(Comparator.comparingLong(SecondMeasurement::unixSecond))
            .map(SecondMeasurement::successes)
            .toList();
    CsvText csv = new CsvText().row(ClientFile.BY_KEY_NUMBER.columns());
    KeyNumbers.of(seconds)
        .forEach(
            (keys, second) ->
                csv.row(keys.toString(), minMs(second), averageMs(second), ms(second.maxNanos())));
    return csv;
  }

  static String minMs(Latencies latencies) {
    return ms(latencies.count() == 0 ? 0 : latencies.minNanos());
  }

  /** Returns the mean in whole nanoseconds, cut off, as the reference does. */
  static String averageMs(Latencies latencies) {
    return ms(latencies.count() == 0 ? 0 : latencies.sumNanos() / latencies.count());
  }

  static String ms(long nanos) {
    return NumberFormats.fixed(nanos / 1e6, MS_DECIMALS);
  }
}
