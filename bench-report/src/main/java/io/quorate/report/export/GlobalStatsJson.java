package io.quorate.report.export;

import io.quorate.format.NumberFormats;
import io.quorate.format.StrictJson;
import io.quorate.results.latency.Percentile;
import io.quorate.results.requests.ClientResults;
import io.quorate.results.requests.ClientResults.Latency;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.function.LongPredicate;

/**
 * The content of {@code js/global_stats.json} beside Gatling's report: the statistics of all
 * requests, from which Gatling's Jenkins plugin draws its trends. Gatling writes it no more; the
 * figures are those of the table, as the plugin wants them: times in whole milliseconds, those of
 * successes alone, and never below 1, as in Gatling's report.
 */
public record GlobalStatsJson(
    String name,
    Counts numberOfRequests,
    Times minResponseTime,
    Times maxResponseTime,
    Times meanResponseTime,
    Times standardDeviation,
    Times percentiles1,
    Times percentiles2,
    Times percentiles3,
    Times percentiles4,
    Group group1,
    Group group2,
    Group group3,
    Group group4,
    Rates meanNumberOfRequestsPerSecond) {
  /** The bounds of the groups, in milliseconds: the indicators in gatling.conf. */
  private static final int LOWER_BOUND_MS = 10;

  private static final int HIGHER_BOUND_MS = 100;

  /** Numbers of requests; ko are those that failed. */
  record Counts(long total, long ok, long ko) {}

  /** A response time in milliseconds; of failed requests there is none. */
  record Times(long total, long ok) {}

  /** Requests per second. */
  record Rates(BigDecimal total, BigDecimal ok, BigDecimal ko) {}

  /** The requests whose response times are between two bounds. */
  record Group(String name, String htmlName, long count, long percentage) {}

  /** Returns the file of a database; empty if nothing succeeded, or a part of it is unreadable. */
  public static Optional<String> text(ClientResults results) {
    return results
        .latency()
        .filter(latency -> Double.isFinite(latency.averageMs()))
        .filter(latency -> !latency.percentilesMs().isEmpty())
        .filter(latency -> !results.distribution().isEmpty())
        .map(latency -> text(results, latency));
  }

  private static String text(ClientResults results, Latency latency) {
    long ok = results.successCount();
    long ko = results.errorCount();
    return StrictJson.line(
        new GlobalStatsJson(
            "All Requests",
            new Counts(ok + ko, ok, ko),
            times(latency.fastestMs()),
            times(latency.slowestMs()),
            times(latency.averageMs()),
            times(latency.standardDeviationMs()),
            times(latency.percentilesMs().get(Percentile.P50)),
            times(latency.percentilesMs().get(Percentile.P75)),
            times(latency.percentilesMs().get(Percentile.P95)),
            times(latency.percentilesMs().get(Percentile.P99)),
            group(results, "t < 10 ms", ms -> ms < LOWER_BOUND_MS),
            group(
                results, "10 ms <= t < 100 ms", ms -> ms >= LOWER_BOUND_MS && ms < HIGHER_BOUND_MS),
            group(results, "t >= 100 ms", ms -> ms >= HIGHER_BOUND_MS),
            group("failed", ko, ok + ko),
            new Rates(rate(ok + ko, results), rate(ok, results), rate(ko, results))));
  }

  private static Times times(double ms) {
    long whole = Math.max(1, Math.round(ms));
    return new Times(whole, whole);
  }

  private static Group group(ClientResults results, String name, LongPredicate fromMs) {
    long count =
        results.distribution().stream()
            .filter(each -> fromMs.test(each.fromMs()))
            .mapToLong(ClientResults.Bucket::count)
            .sum();
    return group(name, count, results.successCount() + results.errorCount());
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
