// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.export;

import io.quorate.format.NumberFormats;
import io.quorate.format.StrictJson;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.results.latency.LatencySummary;
import io.quorate.results.latency.Percentile;
import io.quorate.results.requests.ClientResults;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/**
 * The content of {@code js/global_stats.json} next to Gatling's report: the statistics of all
 * requests, from which Gatling's Jenkins plugin draws its trends. Gatling no longer writes it. The
 * values are in the table as well, but in the plugin's form: whole milliseconds, of successes only,
 * and never below 1, as in Gatling's report.
 */
public final class GlobalStatsJson {
  /** The bounds of the groups: the indicators in gatling.conf. */
  private static final long LOWER_BOUND_NANOS = 10_000_000;

  private static final long HIGHER_BOUND_NANOS = 100_000_000;

  private GlobalStatsJson() {}

  /** Numbers of requests; ko counts failed ones. */
  record Counts(long total, long ok, long ko) {}

  /** A response time in milliseconds; failed requests have none. */
  record Times(long total, long ok) {}

  record Rates(BigDecimal total, BigDecimal ok, BigDecimal ko) {}

  /** The requests whose response times are between two bounds. */
  record Group(String name, String htmlName, long count, long percentage) {}

  /**
   * Returns the file of a database with measured requests; empty if nothing succeeded, or
   * percentiles are unreadable.
   */
  public static Optional<String> text(DatabaseFigures database) {
    ClientResults results = database.run().clients().orElseThrow();
    return database
        .requests()
        .latency()
        .filter(latency -> !latency.percentilesMs().isEmpty())
        .map(latency -> text(results, latency, database.requests().response()));
  }

  private static String text(ClientResults results, LatencySummary latency, Histogram nanos) {
    long fast = nanos.getCountBetweenValues(0, LOWER_BOUND_NANOS - 1);
    long slow = nanos.getCountBetweenValues(HIGHER_BOUND_NANOS, Long.MAX_VALUE);
    long ok = results.successCount();
    long ko = results.errorCount();
    Map<String, Object> stats = new LinkedHashMap<>();
    stats.put("name", "All Requests");
    stats.put("numberOfRequests", new Counts(ok + ko, ok, ko));
    stats.put("minResponseTime", times(latency.fastestMs()));
    stats.put("maxResponseTime", times(latency.slowestMs()));
    stats.put("meanResponseTime", times(latency.averageMs()));
    stats.put("standardDeviation", times(latency.standardDeviationMs()));
    stats.put("percentiles1", times(latency.percentileMs(Percentile.P50)));
    stats.put("percentiles2", times(latency.percentileMs(Percentile.P75)));
    stats.put("percentiles3", times(latency.percentileMs(Percentile.P95)));
    stats.put("percentiles4", times(latency.percentileMs(Percentile.P99)));
    stats.put("group1", group("t < 10 ms", fast, ok + ko));
    stats.put("group2", group("10 ms <= t < 100 ms", nanos.getTotalCount() - fast - slow, ok + ko));
    stats.put("group3", group("t >= 100 ms", slow, ok + ko));
    stats.put("group4", group("failed", ko, ok + ko));
    stats.put(
        "meanNumberOfRequestsPerSecond",
        new Rates(rate(ok + ko, results), rate(ok, results), rate(ko, results)));
    return StrictJson.line(stats);
  }

  private static Times times(double ms) {
    long whole = Math.max(1, Math.round(ms));
    return new Times(whole, whole);
  }

  private static Group group(String name, long count, long all) {
    String html = name.replace("<", "&lt;").replace(">", "&gt;");
    return new Group(name, html, count, all == 0 ? 0 : Math.round(100.0 * count / all));
  }

  private static BigDecimal rate(long count, ClientResults results) {
    double seconds = results.totalSeconds();
    return new BigDecimal(NumberFormats.fixed(seconds > 0 ? count / seconds : 0, 3));
  }
}
