// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.server;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Computes quantiles and the highest value from the histograms in a server's answers. They cover
 * the time since the previous answer. So the first answer has none, and neither has an answer
 * without new values. For one thread.
 */
public final class ServerHistograms {
  /** Ending of the upper bound of the highest bucket with a new value. */
  public static final String MAX = "_max";

  /** Ending of the lower bound of that bucket. */
  public static final String MAX_FROM = "_max_from";

  private static final String NO_BOUND = "+Inf";

  private final Map<String, Buckets> before = new HashMap<>();
  private final Map<String, SortedMap<Double, Double>> answer = new HashMap<>();

  /**
   * Adds a bucket of an answer; ignores a malformed one. Buckets with the same bound, as of several
   * peers or operations, are added up.
   *
   * @param bound highest value of the bucket, as text; {@code +Inf} for all values
   * @param count number of values up to the bound since the start of the server
   */
  public void take(String histogram, String bound, double count) {
    OptionalDouble highest =
        bound.equals(NO_BOUND) ? OptionalDouble.of(Double.POSITIVE_INFINITY) : Figure.parse(bound);
    highest.ifPresent(
        most ->
            answer
                .computeIfAbsent(histogram, first -> new TreeMap<>())
                .merge(most, count, Double::sum));
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
            between
                .highest()
                .ifPresent(
                    highest -> {
                      figures.put(histogram + MAX, highest.upTo());
                      figures.put(histogram + MAX_FROM, highest.above());
                    });
          }
        });
    answer.clear();
  }

  /**
   * The bucket with the highest values.
   *
   * @param above lower bound, 0 for the first bucket
   * @param upTo upper bound; the highest finite one for the infinite bucket, as it is for above
   */
  public record Highest(double above, double upTo) {}

  /** A histogram in Prometheus' form: for each upper bound the number of values up to it. */
  public record Buckets(SortedMap<Double, Double> counts) {
    /** Returns the growth since an earlier state; all values if a bound did not exist then. */
    public Buckets since(Buckets before) {
      SortedMap<Double, Double> grown = new TreeMap<>();
      counts.forEach(
          (bound, count) -> grown.put(bound, count - before.counts.getOrDefault(bound, 0.0)));
      return new Buckets(grown);
    }

    /** Returns the highest bucket with a value; empty if none has, or they are not a histogram. */
    public Optional<Highest> highest() {
      Optional<Highest> highest = Optional.empty();
      double lowerBound = 0;
      double below = 0;
      for (Map.Entry<Double, Double> bucket : counts.entrySet()) {
        double upTo = bucket.getValue();
        if (!(upTo >= below)) {
          return Optional.empty();
        }
        double bound = Double.isInfinite(bucket.getKey()) ? lowerBound : bucket.getKey();
        if (upTo > below) {
          highest = Optional.of(new Highest(lowerBound, bound));
        }
        lowerBound = bound;
        below = upTo;
      }
      return highest;
    }

    /**
     * Returns the value below which a part of all values lies. As in Prometheus, it is interpolated
     * linearly between the bounds of its bucket; in the infinite bucket it is the highest finite
     * bound. Empty without values, or if the counts are not a histogram.
     *
     * @param part part of all values, between 0 and 1
     */
    public OptionalDouble quantile(double part) {
      double total = counts.isEmpty() ? 0 : Objects.requireNonNull(counts.get(counts.lastKey()));
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
