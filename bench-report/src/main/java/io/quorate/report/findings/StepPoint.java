package io.quorate.report.findings;

import io.quorate.report.figures.Basis;
import io.quorate.report.figures.Better;
import io.quorate.report.figures.Ranking;
import io.quorate.report.figures.Ranking.Value;
import io.quorate.report.figures.Reservation;
import io.quorate.report.findings.Standing.OfLoad;
import io.quorate.results.latency.Percentile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;
import java.util.function.Function;

/**
 * The values of one figure with one load.
 *
 * @param compared all databases, in the order of the columns
 * @param ranking of those that have a value
 * @param percentile of the latency; empty for another figure
 */
record StepPoint(
    long load,
    List<Standing> compared,
    Ranking<Standing> ranking,
    Optional<Percentile> percentile) {

  static StepPoint of(
      long load,
      List<Standing> compared,
      Better better,
      Function<OfLoad, OptionalDouble> figure,
      Optional<Percentile> percentile) {
    List<Value<Standing>> values = new ArrayList<>();
    for (Standing standing : compared) {
      standing
          .with(load)
          .map(figure)
          .filter(value -> value.orElse(0) > 0)
          .ifPresent(value -> values.add(new Value<>(standing, value.getAsDouble())));
    }
    return new StepPoint(load, compared, new Ranking<>(better, values), percentile);
  }

  boolean isComparable() {
    return ranking.values().size() > 1;
  }

  /** Returns why its values must not be compared; empty if they may be. */
  Optional<String> obstacle() {
    return Reservation.obstacle(ranking.reservations(Standing::name, this::basis));
  }

  /** Returns the reservations as the end of a sentence; may be empty. */
  String reserved() {
    return Comparison.reserved(ranking, this::basis);
  }

  private Basis basis(Standing standing) {
    Basis basis = standing.with(load).map(OfLoad::basis).orElse(Basis.UNKNOWN);
    return percentile.map(basis::at).orElse(basis);
  }

  /** Returns the leaders in the order of the columns. */
  List<Standing> leaders() {
    return compared.stream()
        .filter(each -> ranking.leaders().stream().anyMatch(leader -> leader.of() == each))
        .toList();
  }

  double best() {
    return ranking.values().get(0).value();
  }

  /**
   * Returns {@code 36 % more than consul (890) and 2.0 times as many as zookeeper (600)}; may be
   * empty.
   */
  String behind() {
    return Prose.list(
        ranking.others().stream()
            .map(
                other ->
                    "%s%s (%s)"
                        .formatted(
                            Prose.more(best(), other.value(), "more than ", "many as "),
                            other.of().name(),
                            Prose.perSecond(other.value())))
            .toList());
  }

  /** Returns the values of the leaders, the best first: {@code etcd with 1,000}. */
  String leading(DoubleFunction<String> format) {
    return Prose.list(
        ranking.leaders().stream()
            .map(each -> each.of().praised() + " with " + format.apply(each.value()))
            .toList());
  }

  /** Returns all values, the best first: {@code 4.447 ms (etcd)}. */
  String listed(DoubleFunction<String> format) {
    return Prose.list(
        ranking.values().stream()
            .map(each -> format.apply(each.value()) + " (" + each.of().name() + ")")
            .toList());
  }

  /** Returns the remark for values that are missing; empty if none is. */
  String absent() {
    List<String> failed = new ArrayList<>();
    List<String> unknown = new ArrayList<>();
    for (Standing each : compared) {
      if (ranking.values().stream().noneMatch(value -> value.of() == each)) {
        boolean dead = each.with(load).filter(step -> step.successes() == 0).isPresent();
        (dead ? failed : unknown).add(each.name());
      }
    }
    return (failed.isEmpty() ? "" : "; no request of " + Prose.list(failed) + " succeeded")
        + (unknown.isEmpty() ? "" : "; not measured for " + Prose.list(unknown));
  }
}
