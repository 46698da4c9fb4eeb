package io.quorate.store.server;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Computes quantiles from the histograms in a server's answers. They cover the time since the
 * previous answer. So the first answer has none, and neither has an answer without new values. For
 * one thread.
 */
public final class ServerHistograms {
  private static final String NO_BOUND = "+Inf";

  private final Map<String, Buckets> before = new HashMap<>();
  private final Map<String, SortedMap<Double, Double>> answer = new HashMap<>();

  /**
   * Adds a bucket of an answer; ignores a malformed one.
   *
   * @param bound highest value of the bucket, as text; {@code +Inf} for all values
   * @param count number of values up to the bound since the start of the server, as text
   */
  public void take(String histogram, String bound, String count) {
    OptionalDouble highest =
        bound.equals(NO_BOUND) ? OptionalDouble.of(Double.POSITIVE_INFINITY) : Figure.parse(bound);
    OptionalDouble values = Figure.parse(count);
    if (highest.isPresent() && values.isPresent()) {
      answer
          .computeIfAbsent(histogram, first -> new TreeMap<>())
          .put(highest.getAsDouble(), values.getAsDouble());
    }
  }

  public void end(Map<String, Double> figures) {
    answer.forEach(
        (histogram, counts) -> {
          Buckets now = new Buckets(counts);
          Buckets then = before.put(histogram, now);
          if (then != null) {
            Buckets between = now.since(then);
            between.quantile(0.5).ifPresent(value -> figures.put(histogram + "_p50", value));
            between.quantile(0.99).ifPresent(value -> figures.put(histogram + "_p99", value));
          }
        });
    answer.clear();
  }

  /** A histogram in Prometheus' form: for each upper bound the number of values up to it. */
  public record Buckets(SortedMap<Double, Double> counts) {
    /** Returns the growth since an earlier state; all values if a bound did not exist then. */
    public Buckets since(Buckets before) {
      SortedMap<Double, Double> grown = new TreeMap<>();
      counts.forEach(
          (bound, count) -> grown.put(bound, count - before.counts.getOrDefault(bound, 0.0)));
      return new Buckets(grown);
    }

    /**
     * Returns the value below which a part of all values lies. As in Prometheus, it is interpolated
     * linearly between the bounds of its bucket; in the infinite bucket it is the highest finite
     * bound. Empty without values, or if the counts are not a histogram.
     *
     * @param part part of all values, between 0 and 1
     */
    public OptionalDouble quantile(double part) {
      double total = counts.isEmpty() ? 0 : counts.get(counts.lastKey());
      if (!(total > 0)) {
        return OptionalDouble.empty();
      }
      double lowerBound = 0;
      double below = 0;
      for (Map.Entry<Double, Double> bucket : counts.entrySet()) {
        double upTo = bucket.getValue();
        if (!(upTo >= below)) {
          return OptionalDouble.empty();
        }
        if (upTo >= part * total && upTo > below) {
          return Double.isInfinite(bucket.getKey())
              ? OptionalDouble.of(lowerBound)
              : OptionalDouble.of(
                  lowerBound
                      + (bucket.getKey() - lowerBound) * (part * total - below) / (upTo - below));
        }
        lowerBound = bucket.getKey();
        below = upTo;
      }
      return OptionalDouble.empty();
    }
  }
}
