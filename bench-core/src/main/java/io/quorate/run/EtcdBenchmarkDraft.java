package io.quorate.run;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** A report of etcd's benchmark as far as it was read. */
final class EtcdBenchmarkDraft {
  private static final List<String> REQUIRED =
      List.of("Total", "Slowest", "Fastest", "Average", "Requests/sec");

  private final Optional<String> part;
  private final OptionalLong asked;
  private final Map<String, BigDecimal> figures = new LinkedHashMap<>();
  private final Map<Percentile, Double> percentilesMs = new EnumMap<>(Percentile.class);
  private BigDecimal highest = BigDecimal.ZERO;
  private OptionalLong successes = OptionalLong.empty();
  private Optional<List<ClientResults.ErrorCount>> errors = Optional.empty();
  private String message = "";

  EtcdBenchmarkDraft(Optional<String> part, OptionalLong asked) {
    this.part = part;
    this.asked = asked;
  }

  /** Adds a line of the summary; says what was expected if it cannot be. */
  Optional<String> figure(String name, BigDecimal value) {
    if (figures.putIfAbsent(name, value) != null) {
      return Optional.of("'" + name + "' once");
    }
    boolean ordered =
        isNotAbove("Fastest", "Average")
            && isNotAbove("Average", "Slowest")
            && isNotAbove("Fastest", "Slowest")
            && isNotAbove("Slowest", "Total");
    return ordered
        ? Optional.empty()
        : Optional.of("Fastest, Average, Slowest and Total, none above the next");
  }

  private boolean isNotAbove(String lower, String upper) {
    return !figures.containsKey(lower)
        || !figures.containsKey(upper)
        || figures.get(lower).compareTo(figures.get(upper)) <= 0;
  }

  /** The names of figures that a summary always has and this one has not. */
  Optional<String> missing() {
    List<String> missing = REQUIRED.stream().filter(name -> !figures.containsKey(name)).toList();
    return missing.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", missing));
  }

  /** Adds the count of a bucket. */
  void bucket(long count) {
    successes = OptionalLong.of(successes.orElse(0) + count);
  }

  /** Adds a line of the distribution; one that is no row of ours is passed over. */
  Optional<String> percentile(String percent, BigDecimal seconds) {
    if (seconds.compareTo(highest) < 0) {
      return Optional.of("no less than in the line before");
    }
    highest = seconds;
    for (Percentile each : Percentile.values()) {
      if (each.percentText().equals(percent + "%") && seconds.signum() > 0) {
        percentilesMs.put(each, ms(seconds));
      }
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

  /** Adds a line to the message of the last error, unless there is none or it becomes too long. */
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
