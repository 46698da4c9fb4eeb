// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.dbtester;

import io.quorate.format.CsvText;
import io.quorate.format.NumberFormats;
import io.quorate.format.Problems;
import io.quorate.host.SecondGrid;
import io.quorate.measure.Latencies;
import io.quorate.report.dbtester.DbtesterFile.SummaryName;
import io.quorate.report.figures.ClientSecond;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.figures.KeyNumberFiles;
import io.quorate.report.figures.RequestFigures;
import io.quorate.report.figures.StepFigures;
import io.quorate.results.hosts.HostFiles;
import io.quorate.results.hosts.HostMeasurements;
import io.quorate.results.latency.LatencySummary;
import io.quorate.results.requests.ClientResults;
import io.quorate.results.requests.ClientResults.ErrorCount;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * Exports the results of a database to the five client files of dbtester, with its names, columns
 * and formats: all operations together. {@code src/site/markdown/reference/dbtester-files.md}
 * defines every value.
 *
 * <p>TOTAL-SECONDS, REQUESTS-PER-SECOND, SLOWEST, FASTEST, AVERAGE and STDDEV are exact;
 * percentiles and the distribution have the precision of the histogram. If nothing succeeded, the
 * rows of latencies are left out.
 */
public final class DbtesterExport {
  private static final int MS_DECIMALS = 6;
  private static final int SUMMARY_DECIMALS = 4;
  private static final long BUCKET_NANOS = 10_000_000;

  private DbtesterExport() {}

  /**
   * Exports the results of a database with requests.
   *
   * @param output receives each file by its name
   */
  public static void write(DatabaseFigures database, BiConsumer<String, String> output) {
    ClientResults results = database.run().clients().orElseThrow();
    BiConsumer<DbtesterFile, CsvText> files =
        (file, csv) -> output.accept(file.fileName(), csv.toString());
    files.accept(DbtesterFile.TIME_SERIES, timeSeries(database.steps()));
    output.accept(
        DbtesterFile.BY_KEY_NUMBER.fileName(), KeyNumberFiles.latency(database.steps()).csv());
    files.accept(DbtesterFile.DISTRIBUTION, distribution(results, database.requests().response()));
    files.accept(DbtesterFile.PERCENTILES, percentiles(database.requests()));
    files.accept(DbtesterFile.SUMMARY, summary(database.requests(), results));
  }

  /**
   * Writes dbtester's files of machines, with a row for each second, next to the measured ones,
   * outside of {@link io.quorate.format.OutputFiles}: those of a day fill its memory. Rows that
   * cannot be read have none; the report names them.
   */
  public static void writeSeconds(HostMeasurements machines) {
    for (Path raw : machines.files().measured()) {
      new Problems().attempt(() -> SecondGrid.write(raw, HostFiles.interpolated(raw)));
    }
  }

  private static CsvText summary(RequestFigures requests, ClientResults results) {
    CsvText csv = new CsvText();
    row(csv, SummaryName.TOTAL_SECONDS, results.totalSeconds());
    results.requestsPerSecond().ifPresent(rate -> row(csv, SummaryName.REQUESTS_PER_SECOND, rate));
    requests.latency().ifPresent(latency -> latencies(csv, latency));
    List<ErrorCount> errors = results.errors();
    for (ErrorCount error : errors) {
      csv.row(SummaryName.ERROR_PREFIX + error.quotedMessage(), Long.toString(error.count()));
    }
    return errors.isEmpty() ? csv.row(SummaryName.NO_ERROR, "0") : csv;
  }

  private static void latencies(CsvText csv, LatencySummary latency) {
    row(csv, SummaryName.SLOWEST_LATENCY_MS, latency.slowestMs());
    row(csv, SummaryName.FASTEST_LATENCY_MS, latency.fastestMs());
    row(csv, SummaryName.AVERAGE_LATENCY_MS, latency.averageMs());
    row(csv, SummaryName.STDDEV_LATENCY_MS, latency.standardDeviationMs());
  }

  private static void row(CsvText csv, SummaryName name, double value) {
    csv.row(name.toString(), NumberFormats.fixed(value, SUMMARY_DECIMALS));
  }

  private static CsvText percentiles(RequestFigures requests) {
    CsvText csv = new CsvText().row(DbtesterFile.PERCENTILES.columns());
    requests.latency().stream()
        .flatMap(latency -> latency.percentilesMs().entrySet().stream())
        .forEach(each -> csv.row(each.getKey().label(), ms(each.getValue())));
    return csv;
  }

  /**
   * Returns buckets of 10 ms from the first to the last that is not empty, named by their lower
   * end.
   */
  private static CsvText distribution(ClientResults results, Histogram histogram) {
    TreeMap<Long, Long> counts = new TreeMap<>();
    Latencies exact = results.latencies(any -> true, Optional.empty());
    long fastest = exact.count() == 0 ? 0 : exact.minNanos();
    long slowest = exact.maxNanos();
    for (HistogramIterationValue step : histogram.recordedValues()) {
      long middle = histogram.medianEquivalentValue(step.getValueIteratedTo());
      long nanos = Math.max(fastest, Math.min(slowest, middle));
      counts.merge(nanos / BUCKET_NANOS, step.getCountAtValueIteratedTo(), Long::sum);
    }
    CsvText csv = new CsvText().row(DbtesterFile.DISTRIBUTION.columns());
    if (!counts.isEmpty()) {
      for (long bucket = counts.firstKey(); bucket <= counts.lastKey(); bucket++) {
        csv.row(Long.toString(bucket * 10), Long.toString(counts.getOrDefault(bucket, 0L)));
      }
    }
    return csv;
  }

  /**
   * Returns one row per second and step: there are two if a step begins in the second in which
   * another one ended. A second without successes has throughput 0, and the zeros in the same row
   * are not latencies.
   */
  private static CsvText timeSeries(List<StepFigures> steps) {
    CsvText csv = new CsvText().row(DbtesterFile.TIME_SERIES.columns());
    for (StepFigures step : steps) {
      for (ClientSecond second : step.seconds()) {
        csv.row(
            Long.toString(second.unixSecond()),
            Long.toString(second.clients()),
            ms(second.minMs()),
            ms(second.averageMs()),
            ms(second.maxMs()),
            Long.toString(second.count()));
      }
    }
    return csv;
  }

  private static String ms(double ms) {
    return NumberFormats.fixed(Double.isNaN(ms) ? 0 : ms, MS_DECIMALS);
  }
}
