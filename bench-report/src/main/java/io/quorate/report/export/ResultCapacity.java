// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.export;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quorate.capacity.Bound;
import io.quorate.capacity.Outcome;
import io.quorate.capacity.SearchResult;
import io.quorate.capacity.Trial;
import io.quorate.capacity.TrialVerdict;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.results.capacity.OverloadRecovery;
import io.quorate.results.capacity.PercentileInterval;
import io.quorate.results.capacity.SearchRecord;
import io.quorate.results.capacity.TrialLatencies;
import io.quorate.results.capacity.TrialRow;
import io.quorate.scenario.CapacityGoal;
import io.quorate.scenario.SloLimit;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** A search for the capacity of a database in {@code result.json}, with its fields in order. */
record ResultCapacity(
    CapacityGoal.Load of,
    long preloadBytes,
    List<SloLimit> thresholds,
    CapacityGoal.Search search,
    Optional<Outcome> outcome,
    Optional<Bound> holds,
    Optional<Bound> fails,
    Optional<BigDecimal> seconds,
    List<TrialEntry> trials,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<TrialEntry> curve,
    Optional<OverloadRecovery> recovery,
    Optional<String> disturbance) {
  private static final double PERCENT = 100;
  private static final double NANOS_PER_MS = 1e6;

  /** The confidence interval of a percentile, in milliseconds. */
  record IntervalEntry(Optional<BigDecimal> low, Optional<BigDecimal> high) {
    static IntervalEntry of(PercentileInterval nanos) {
      return new IntervalEntry(
          Decimals.rounded(nanos.lowNanos() / NANOS_PER_MS),
          Decimals.rounded(nanos.highNanos() / NANOS_PER_MS));
    }
  }

  /** A cause of members' waits, and the longest p99 of these waits. */
  record WaitEntry(String waitsFor, Optional<BigDecimal> p99Ms) {}

  /** A trial of a load. */
  record TrialEntry(
      int trial,
      Trial.Stage stage,
      long load,
      TrialVerdict verdict,
      Optional<String> remark,
      Optional<BigDecimal> seconds,
      int measuredSeconds,
      Optional<BigDecimal> violatingPercent,
      Optional<BigDecimal> intendedPerSecond,
      Optional<BigDecimal> succeededPerSecond,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, BigDecimal> latencyMs,
      Optional<IntervalEntry> p99IntervalMs,
      long requestsFailed,
      long requestsDropped,
      Optional<BigDecimal> lagP99Ms,
      Optional<BigDecimal> loadGeneratorCores,
      Optional<BigDecimal> serverCores,
      Optional<BigDecimal> busiestServerCores,
      Optional<BigDecimal> machineBusyPercent,
      Optional<BigDecimal> diskBusyPercent,
      Optional<BigDecimal> networkBusyPercent,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<WaitEntry> waits,
      OptionalInt standstills) {
    static TrialEntry of(TrialRow row) {
      return new TrialEntry(
          row.number(),
          row.stage(),
          row.load(),
          row.verdict(),
          row.remark(),
          Decimals.rounded(row.wholeSeconds()),
          row.measuredSeconds(),
          Decimals.rounded(PERCENT * row.violatingPart()),
          Decimals.rounded(row.intendedPerSecond()),
          Decimals.rounded(row.succeededPerSecond()),
          latencyMs(row.latencies()),
          row.latencies().p99Interval().map(IntervalEntry::of),
          row.failed(),
          row.dropped(),
          ms(row.lagP99Nanos()),
          Decimals.rounded(row.loadGeneratorCores()),
          Decimals.rounded(row.serverCores()),
          Decimals.rounded(row.servers().busiestCores()),
          percent(row.machineBusy()),
          percent(row.servers().diskBusy()),
          percent(row.servers().networkBusy()),
          row.servers().waitsMillis().entrySet().stream()
              .map(wait -> new WaitEntry(wait.getKey(), Decimals.rounded(wait.getValue())))
              .toList(),
          row.servers().stalls());
    }

    private static Map<String, BigDecimal> latencyMs(TrialLatencies nanos) {
      Map<String, BigDecimal> latency = new LinkedHashMap<>();
      ms(nanos.p50Nanos()).ifPresent(ms -> latency.put("p50", ms));
      ms(nanos.p99Nanos()).ifPresent(ms -> latency.put("p99", ms));
      ms(nanos.p999Nanos()).ifPresent(ms -> latency.put("p99.9", ms));
      return latency;
    }

    private static Optional<BigDecimal> ms(OptionalLong nanos) {
      return Decimals.rounded(nanos.stream().mapToDouble(it -> it / NANOS_PER_MS).findFirst());
    }

    private static Optional<BigDecimal> percent(OptionalDouble part) {
      return part.isPresent() ? Decimals.rounded(PERCENT * part.getAsDouble()) : Optional.empty();
    }
  }

  static List<ResultCapacity> all(DatabaseFigures figures) {
    return figures.run().searches().stream()
        .map(search -> of(search, figures.disturbance()))
        .toList();
  }

  private static ResultCapacity of(SearchRecord search, Optional<String> disturbance) {
    Optional<SearchResult> end = search.conclusion();
    return new ResultCapacity(
        search.header().load(),
        search.header().preloadBytes(),
        search.header().limits(),
        search.header().search(),
        end.map(SearchResult::outcome),
        end.flatMap(SearchResult::holds),
        end.flatMap(SearchResult::fails),
        Decimals.rounded(search.seconds()),
        search.trials().stream().map(TrialEntry::of).toList(),
        search.curve().stream().map(TrialEntry::of).toList(),
        search.recovery(),
        disturbance);
  }
}
