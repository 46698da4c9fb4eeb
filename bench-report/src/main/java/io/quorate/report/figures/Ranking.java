// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import io.quorate.report.figures.Reservation.Stated;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The values of several databases, the best first. Values within {@value #TIE_PERCENT}% of the best
 * one count as equal to it: a single run of each database cannot distinguish them.
 *
 * @param values values, finite and at least 0; equal ones stay in their order
 */
public record Ranking<T>(Better better, List<Value<T>> values) {
  /** Percentage by which a value may differ from another one and still be a tie. */
  public static final int TIE_PERCENT = 10;

  /** The direction in which a value is better. */
  public enum Better {
    HIGHER,
    LOWER
  }

  /** The value of one database. */
  public record Value<T>(T of, double value) {}

  public Ranking {
    Comparator<Value<T>> ascending = Comparator.comparingDouble(Value::value);
    values =
        values.stream().sorted(better == Better.LOWER ? ascending : ascending.reversed()).toList();
  }

  /** Returns the first value and all ties with it; empty without values. */
  public List<Value<T>> leaders() {
    return values.stream().filter(this::isTiedWithBest).toList();
  }

  /**
   * Returns the only leader; empty if there are several, no other values, or if a {@link
   * Reservation} forbids to call it the best.
   *
   * @param name returns the name of the database of a value
   * @param basis returns the basis of such a value
   */
  public Optional<T> best(Function<T, String> name, Function<T, Basis> basis) {
    List<Value<T>> leaders = leaders();
    boolean forbidden =
        leaders.size() != 1
            || values.size() == 1
            || reservations(name, basis).stream()
                .anyMatch(each -> each.reservation().forbidsBest(basis.apply(leaders.get(0).of())));
    return forbidden ? Optional.empty() : Optional.of(leaders.get(0).of());
  }

  public List<Stated> reservations(Function<T, String> name, Function<T, Basis> basis) {
    Map<String, Basis> bases = new LinkedHashMap<>();
    for (Value<T> value : values) {
      String once = name.apply(value.of());
      bases.put(bases.containsKey(once) ? once + " (again)" : once, basis.apply(value.of()));
    }
    return Reservation.about(bases);
  }

  private boolean isTiedWithBest(Value<T> value) {
    double best = values.get(0).value();
    double smaller = Math.min(best, value.value());
    double larger = Math.max(best, value.value());
    return larger * 100 <= smaller * (100 + TIE_PERCENT);
  }
}
