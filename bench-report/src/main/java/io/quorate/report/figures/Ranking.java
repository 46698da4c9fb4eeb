// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import io.quorate.report.figures.Reservation.Stated;
import io.quorate.report.judge.Change;
import io.quorate.report.judge.Family;
import io.quorate.report.judge.Family.Limits;
import io.quorate.report.judge.Sample;
import io.quorate.report.judge.Sample.Kind;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The values of several databases, the best first. Those that are not known to be worse than the
 * best one count as equal to it.
 *
 * @param limits how far single runs have to differ
 * @param values values of one or more runs each; equal ones stay in their order
 */
public record Ranking<T>(Kind kind, Limits limits, List<Value<T>> values) {
  /** The values of the runs of one database. */
  public record Value<T>(T of, double... runs) {
    public double median() {
      return Sample.median(runs);
    }
  }

  public Ranking(Kind kind, List<Value<T>> values) {
    this(kind, Limits.USUAL, values);
  }

  public Ranking {
    Comparator<Value<T>> ascending = Comparator.comparingDouble(Value::median);
    values = values.stream().sorted(kind == Kind.RATE ? ascending.reversed() : ascending).toList();
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
    Sample best = new Sample(kind, values.get(0).runs);
    return !Family.decide(Change.of(best, new Sample(kind, value.runs)), limits).isDecided();
  }
}
