// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.server;

import static io.quorate.format.NumberFormats.commas;
import static io.quorate.format.NumberFormats.fixed;
import static io.quorate.format.NumberFormats.milliseconds;

import io.quorate.format.CsvTable;
import io.quorate.format.NumberFormats;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;
import java.util.function.DoubleUnaryOperator;

/** A check of what each member reports about itself. */
public record ServerCheck(CheckRule rule, Measurement measurement) {
  private static final String DISK_ADVICE =
      "If the disk is busy, use a faster or a separate one; otherwise look for busy CPUs and limits"
          + " of I/O";

  private static final double MILLIS_PER_MINUTE = 60_000;

  /**
   * A value, where more is worse, with its limits.
   *
   * @param warning value from which on it is a warning
   * @param bad value from which on it is bad
   */
  public record Measured(double value, double warning, double bad, String text) {}

  /** Computes the value of a member; empty if the member does not report it. */
  @FunctionalInterface
  public interface Measurement {
    Optional<Measured> of(ReportedMetrics member);
  }

  /**
   * Returns the checks of the file {@code checks.csv} of a package. Without an action, a check has
   * that of a slow disk.
   *
   * @param store a class of the package
   * @param others what measures the checks without a measure, by their ids
   */
  public static List<ServerCheck> read(Class<?> store, Map<String, Measurement> others) {
    return CsvTable.resource(store, "checks.csv").stream()
        .map(row -> of(row, Optional.ofNullable(others.get(row.text(0)))))
        .toList();
  }

  private static ServerCheck of(CsvTable.Row row, Optional<Measurement> other) {
    String action = row.text(11).isEmpty() ? DISK_ADVICE : row.text(11);
    return new ServerCheck(
        new CheckRule(row.text(0), row.text(8), row.text(9), row.text(10), action),
        other.orElseGet(() -> measurement(row)));
  }

  private static Measurement measurement(CsvTable.Row row) {
    String metric = row.text(2);
    String of = row.text(3);
    double factor = row.number(4);
    double warning = row.number(5);
    double bad = row.number(6);
    return switch (row.text(1)) {
      case "p99" -> p99(metric, factor, warning, bad);
      case "mean" -> mean(new MetricSource.Mean(metric, of, factor), warning, bad);
      case "growth" -> growth(metric, warning, bad);
      case "rate" -> rate(metric, warning, bad);
      case "most" -> most(metric, factor, warning, bad, row.text(7));
      case "part" -> part(metric, of, warning, bad);
      case "share" -> share(metric, factor, warning, bad);
      default -> throw row.wrong(row.text(1), "p99, mean, growth, rate, most, part or share");
    };
  }

  /** Measures the usual p99 of a histogram; shows the bucket of its longest value. */
  private static Measurement p99(String histogram, double millis, double warning, double bad) {
    return member ->
        of(
            member.usual(histogram + "_p99"),
            value -> value * millis,
            warning,
            bad,
            ms ->
                milliseconds(ms) + longest(member.most(histogram + ServerHistograms.MAX), millis));
  }

  private static String longest(OptionalDouble value, double millis) {
    return value.isPresent()
        ? " (longest at most " + milliseconds(value.getAsDouble() * millis) + ")"
        : "";
  }

  private static Measurement mean(MetricSource.Mean mean, double warning, double bad) {
    return member -> {
      double count = member.growth(mean.count()).orElse(0);
      return of(
          count > 0 ? member.growth(mean.sum()) : OptionalDouble.empty(),
          sum -> sum / count * mean.factor(),
          warning,
          bad,
          NumberFormats::milliseconds);
    };
  }

  private static Measurement growth(String counter, double warning, double bad) {
    return member ->
        of(member.growth(counter), any -> any, warning, bad, value -> commas((long) value));
  }

  /** Measures the growth of a counter by minute; a value at a limit is within it. */
  private static Measurement rate(String counter, double warning, double bad) {
    return member ->
        of(
            member.growth(counter),
            value -> value / (member.millis() / MILLIS_PER_MINUTE),
            Math.nextUp(warning),
            Math.nextUp(bad),
            value -> fixed(value, 1) + " a minute");
  }

  private static Measurement most(
      String metric, double factor, double warning, double bad, String unit) {
    return member ->
        of(
            member.most(metric),
            value -> value * factor,
            warning,
            bad,
            value -> "at most " + commas(Math.round(value)) + unit);
  }

  /** Measures the last value of a metric as a part of the last value of another one. */
  private static Measurement part(String metric, String whole, double warning, double bad) {
    return member -> {
      double all = member.last(whole).orElse(0);
      return of(
          all > 0 ? member.last(metric) : OptionalDouble.empty(),
          value -> value / all,
          warning,
          bad,
          NumberFormats::percent);
    };
  }

  /** Measures the growth of a counter of times as a part of the measured time. */
  private static Measurement share(String counter, double millis, double warning, double bad) {
    return member ->
        of(
            member.growth(counter),
            value -> value * millis / member.millis(),
            warning,
            bad,
            NumberFormats::percent);
  }

  /** Returns a value in another unit; empty if there is none. */
  public static Optional<Measured> of(
      OptionalDouble value,
      DoubleUnaryOperator unit,
      double warning,
      double bad,
      DoubleFunction<String> text) {
    return value.stream()
        .map(unit)
        .mapToObj(found -> new Measured(found, warning, bad, text.apply(found)))
        .findFirst();
  }
}
