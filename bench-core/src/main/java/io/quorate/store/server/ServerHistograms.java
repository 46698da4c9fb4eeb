package io.quorate.store.server;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Computes quantiles from the histograms in a server's answers. They are those of the time since
 * the last answer, so there are none in the first one, nor when nothing happened. For one thread.
 */
public final class ServerHistograms {
  private static final String NO_BOUND = "+Inf";

  private final Map<String, Buckets> before = new HashMap<>();
  private final Map<String, SortedMap<Double, Double>> answer = new HashMap<>();

  /**
   * Takes a bucket of an answer; one that is malformed is left out.
   *
   * @param bound the highest value in it, as text; {@code +Inf} for all values
   * @param count of values up to the bound since the server was started, as text
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

  /** Ends an answer, and adds {@code HISTOGRAM_p50} and {@code HISTOGRAM_p99} to its figures. */
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
}
