package io.quorate.results;

import io.quorate.format.GoText;
import io.quorate.results.latency.Percentile;
import io.quorate.results.requests.ClientResults;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/** A report of etcd's benchmark that is being read. */
final class EtcdBenchmarkDraft {
  private static final List<String> REQUIRED =
      List.of("Total", "Slowest", "Fastest", "Average", "Requests/sec");

  private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

  /** Rounding of the total, which has four decimals. */
  private static final double ROUNDING_SECONDS = 1e-4;

  private final Optional<String> part;
  private final OptionalLong asked;
  private final Map<String, BigDecimal> figures = new LinkedHashMap<>();
  private final Map<Percentile, Double> percentilesMs = new EnumMap<>(Percentile.class);
  private final Set<String> named = new HashSet<>();
  private final Set<String> headings = new HashSet<>();
  private int unreadable;
  private BigDecimal highest = BigDecimal.ZERO;
  private BigDecimal lastPercent = BigDecimal.ZERO;
  private BigDecimal lastBucket = BigDecimal.ZERO;
  private OptionalLong successes = OptionalLong.empty();
  private Optional<List<ClientResults.ErrorCount>> errors = Optional.empty();
  private String message = "";

  EtcdBenchmarkDraft(Optional<String> part, OptionalLong asked) {
    this.part = part;
    this.asked = asked;
  }

  /**
   * Adds a line of the summary; returns what was expected if the line is invalid. Of a name whose
   * line is wrong nothing more is said.
   */
  Optional<String> figure(String name, Optional<BigDecimal> value) {
    if (!named.add(name)) {
      return Optional.of("'" + name + "' once");
    }
    if (value.isEmpty()) {
      return Optional.empty();
    }
    figures.put(name, value.get());
    boolean ordered =
        isNotAbove("Fastest", "Average")
            && isNotAbove("Average", "Slowest")
            && isNotAbove("Fastest", "Slowest")
            && isNotAbove("Slowest", "Total");
    if (!ordered) {
      figures.remove(name);
      return Optional.of("Fastest, Average, Slowest and Total, none above the next");
    }
    return Optional.empty();
  }

  private boolean isNotAbove(String lower, String upper) {
    return !figures.containsKey(lower)
        || !figures.containsKey(upper)
        || figures.get(lower).compareTo(figures.get(upper)) <= 0;
  }

  /** Records a line of the summary that cannot be read; it may be that of any name. */
  void unreadable(String line) {
    Optional<String> name =
        REQUIRED.stream()
            .filter(each -> line.startsWith(each) && !named.contains(each))
            .findFirst();
    name.ifPresentOrElse(named::add, () -> unreadable++);
  }

  /** Returns the names of figures that a summary always has and this one does not. */
  Optional<String> missing() {
    List<String> missing = REQUIRED.stream().filter(name -> !named.contains(name)).toList();
    return missing.size() <= unreadable
        ? Optional.empty()
        : Optional.of(String.join(", ", missing));
  }

  /** Returns whether a part of the report occurs for the first time. */
  boolean begins(String heading) {
    return headings.add(heading);
  }

  /** Adds a bucket; returns what was expected if it is invalid. */
  Optional<String> bucket(BigDecimal seconds, long count) {
    boolean ascending = seconds.compareTo(lastBucket) >= 0;
    lastBucket = seconds;
    successes = OptionalLong.of(successes.orElse(0) + count);
    return ascending ? Optional.empty() : Optional.of("no less than in the line before");
  }

  /** Adds a line of the distribution; a line that is not one of our rows is ignored. */
  Optional<String> percentile(BigDecimal percent, BigDecimal seconds) {
    BigDecimal before = highest;
    BigDecimal slowest = figures.get("Slowest");
    if (slowest != null && seconds.compareTo(slowest.add(rounding(slowest))) > 0) {
      return Optional.of("at most the slowest, " + slowest.toPlainString());
    }
    highest = seconds;
    if (seconds.compareTo(before) < 0) {
      return Optional.of("no less than in the line before");
    }
    for (Percentile each : Percentile.values()) {
      if (percent.compareTo(each.percent()) == 0 && seconds.signum() > 0) {
        percentilesMs.put(each, ms(seconds));
      }
    }
    return Optional.empty();
  }

  /**
   * Checks the percentage of a line; returns what was expected if it is not above that of the line
   * before.
   */
  Optional<String> percentage(BigDecimal percent) {
    if (percent.signum() <= 0 || percent.compareTo(HUNDRED) > 0) {
      return Optional.of("a percentage above 0 and at most 100");
    }
    if (percent.compareTo(lastPercent) <= 0) {
      String before = lastPercent.toPlainString();
      return Optional.of("a percentage above " + before + ", that of a line before");
    }
    lastPercent = percent;
    return Optional.empty();
  }

  /** Returns one unit of the last digit that is shown. */
  private static BigDecimal rounding(BigDecimal shown) {
    return BigDecimal.ONE.movePointLeft(Math.max(0, Math.min(4, shown.scale())));
  }

  /**
   * Returns the request counts of the whole report that contradict each other; empty if none do.
   */
  Optional<String> disagreement() {
    double rate = figure("Requests/sec").orElse(Double.NaN);
    double byRate = rate * figure("Total").orElse(Double.NaN);
    double rounding = rate * ROUNDING_SECONDS + 1;
    long failed =
        errors.orElse(List.of()).stream().mapToLong(ClientResults.ErrorCount::count).sum();
    if (asked.isPresent() && successes.orElse(0) + failed > asked.getAsLong()) {
      return Optional.of(
          "%d requests in the histogram and %d errors, expected at most the %d that were asked for"
              .formatted(successes.orElse(0), failed, asked.getAsLong()));
    }
    if (asked.isPresent() && byRate > asked.getAsLong() + rounding) {
      return Optional.of(
          "%.0f requests by Total and Requests/sec, expected at most the %d that were asked for"
              .formatted(byRate, asked.getAsLong()));
    }
    if (successes.isPresent() && successes.getAsLong() > byRate + rounding) {
      return Optional.of(
          "%d requests in the histogram, expected at most %.0f as of Total and Requests/sec"
              .formatted(successes.getAsLong(), byRate));
    }
    return Optional.empty();
  }

  boolean hasErrors() {
    return errors.isPresent();
  }

  void error(String text, long count) {
    message = text;
    List<ClientResults.ErrorCount> all = new ArrayList<>(errors.orElse(List.of()));
    all.add(new ClientResults.ErrorCount(GoText.quoted(text), count));
    errors = Optional.of(all);
  }

  /**
   * Appends a line to the message of the last error, unless there is none or it becomes too long.
   */
  boolean continueError(String line, int longest) {
    if (errors.isEmpty() || message.length() + line.length() > longest) {
      return false;
    }
    List<ClientResults.ErrorCount> all = new ArrayList<>(errors.get());
    long count = all.remove(all.size() - 1).count();
    errors = Optional.of(all);
    error(message + "\n" + line, count);
    return true;
  }

  EtcdBenchmarkReport report() {
    return new EtcdBenchmarkReport(
        part,
        figure("Total"),
        figure("Requests/sec"),
        figures.isEmpty() ? Optional.empty() : Optional.of(latency()),
        successes,
        asked,
        errors);
  }

  private OptionalDouble figure(String name) {
    BigDecimal value = figures.get(name);
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(value.doubleValue());
  }

  private ClientResults.Latency latency() {
    return new ClientResults.Latency(
        latencyMs("Slowest"),
        latencyMs("Fastest"),
        latencyMs("Average"),
        latencyMs("Stddev"),
        percentilesMs);
  }

  private double latencyMs(String name) {
    BigDecimal seconds = figures.getOrDefault(name, BigDecimal.ZERO);
    return seconds.signum() == 0 ? Double.NaN : ms(seconds);
  }

  private static double ms(BigDecimal seconds) {
    return seconds.movePointRight(3).doubleValue();
  }
}
