// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.table;

import io.quorate.report.figures.Basis;
import io.quorate.report.figures.HostFigure;
import io.quorate.report.figures.TotalFigures;
import io.quorate.results.latency.LatencySummary;
import io.quorate.results.latency.Percentile;
import io.quorate.results.requests.ClientResults;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Measures the cost of laying out the result table of five databases, as text and as CSV. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ResultTableBenchmark {
  private final ResultTable table =
      new ResultTable(
          List.of(
              result("etcd"),
              result("zookeeper"),
              result("consul"),
              result("zetcd"),
              result("cetcd")),
          RowLabels.LATER);

  private static TotalFigures result(String id) {
    Map<Percentile, Double> percentiles = new EnumMap<>(Percentile.class);
    for (Percentile percentile : Percentile.values()) {
      percentiles.put(percentile, 1.234567 * (1 + percentile.ordinal()));
    }
    Map<HostFigure, Double> host = new EnumMap<>(HostFigure.class);
    for (HostFigure figure : HostFigure.values()) {
      host.put(figure, 123_456.789);
    }
    return new TotalFigures(
        id,
        id + "-v1.2.3",
        1,
        OptionalDouble.of(61.5432),
        OptionalLong.of(1_000_000),
        OptionalLong.of(17_000),
        OptionalDouble.of(16_248.75),
        OptionalLong.of(9000),
        Optional.of(new LatencySummary(20.1, 0.2, 3.4, 1.2, percentiles)),
        Optional.of(List.of(new ClientResults.ErrorCount("\"no answer within 5000 ms\"", 12))),
        host,
        Optional.empty(),
        Optional.empty(),
        Basis.UNKNOWN);
  }

  @Benchmark
  public String text() {
    return table.text();
  }

  @Benchmark
  public String csv() {
    return table.csv();
  }
}
