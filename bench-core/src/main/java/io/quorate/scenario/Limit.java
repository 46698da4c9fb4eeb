package io.quorate.scenario;

import io.quorate.store.Operation;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BiConsumer;

/**
 * A limit that the results of each database of a scenario have to keep, such as {@code step 3 get
 * p99 < 50 ms}.
 *
 * @param step its number, from 1; empty for all steps together
 * @param operation empty for all operations together
 * @param quantity what is limited
 * @param number in the unit
 */
public record Limit(
    OptionalInt step,
    Optional<Operation> operation,
    Quantity quantity,
    Relation relation,
    BigDecimal number,
    Unit unit) {

  /**
   * The kinds of quantities. They are about all requests that were intended: one that failed, timed
   * out or was dropped has no latency, and violates every limit of latencies.
   */
  public enum Kind {
    PERCENTILE,
    MEAN,
    MAX,
    /** Requests that failed, timed out or were dropped. */
    ERRORS,
    /** Requests that were dropped: due, but never sent, as too many were in flight. */
    SHED,
    /** Requests that succeeded, by the measured time. */
    THROUGHPUT;

    String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * A quantity.
   *
   * @param percent of a percentile, above 0 and at most 100; empty for other kinds
   */
  public record Quantity(Kind kind, Optional<BigDecimal> percent) {
    /** Returns whether it is a time. */
    public boolean isLatency() {
      return !isCount() && kind != Kind.THROUGHPUT;
    }

    /** Returns whether it is a number of requests, or a part of them. */
    public boolean isCount() {
      return kind == Kind.ERRORS || kind == Kind.SHED;
    }

    /** Returns the quantity as in a scenario: {@code p99.9}, {@code mean}. */
    @Override
    public String toString() {
      return percent.map(of -> "p" + of.toPlainString()).orElseGet(kind::id);
    }
  }

  /** The ways in which a value and the number of a limit are compared. */
  public enum Relation {
    BELOW("<"),
    AT_MOST("<="),
    ABOVE(">"),
    AT_LEAST(">="),
    EQUAL("=");

    private final String sign;

    Relation(String sign) {
      this.sign = sign;
    }

    static Optional<Relation> of(String sign) {
      return Arrays.stream(values()).filter(each -> each.sign.equals(sign)).findFirst();
    }

    private boolean holds(double found, double number) {
      return switch (this) {
        case BELOW -> found < number;
        case AT_MOST -> found <= number;
        case ABOVE -> found > number;
        case AT_LEAST -> found >= number;
        case EQUAL -> found == number;
      };
    }
  }

  /** The units of limits. */
  public enum Unit {
    MICROSECONDS("us", " us", "0.001"),
    MILLISECONDS("ms", " ms", "1"),
    SECONDS("s", " s", "1000"),
    COUNT("", "", "1"),
    PERCENT("%", " %", "1"),
    PER_SECOND("/s", "/s", "1");

    private final String written;
    private final String shown;
    private final BigDecimal factor;

    Unit(String written, String shown, String factor) {
      this.written = written;
      this.shown = shown;
      this.factor = new BigDecimal(factor);
    }

    static Unit of(String written) {
      return Arrays.stream(values())
          .filter(each -> each.written.equals(written))
          .findFirst()
          .orElseThrow();
    }

    boolean measures(Quantity quantity) {
      return switch (this) {
        case MICROSECONDS, MILLISECONDS, SECONDS -> quantity.isLatency();
        case COUNT, PERCENT -> quantity.isCount();
        case PER_SECOND -> quantity.kind() == Kind.THROUGHPUT;
      };
    }
  }

  /**
   * Parses a limit as {@link #toString} writes it.
   *
   * @return empty if the text is not a limit
   */
  public static Optional<Limit> parse(String text) {
    return parse(text, (found, expected) -> {});
  }

  /**
   * Parses a limit as {@link #parse(String)} does.
   *
   * @param problem receives what was found and what was expected, if the text is not a limit
   */
  public static Optional<Limit> parse(String text, BiConsumer<String, String> problem) {
    return new LimitText(text, problem).read();
  }

  /**
   * Returns whether a value keeps this limit.
   *
   * @param found in milliseconds, percent or requests per second, or a count
   */
  public boolean isKeptBy(double found) {
    return relation.holds(found, baseNumber().doubleValue());
  }

  /** Returns the number in milliseconds, percent or requests per second, or a count. */
  public BigDecimal baseNumber() {
    return number.multiply(unit.factor);
  }

  /** Returns the unit in which found values are shown: that of the limit, but ms for all times. */
  public Unit shownUnit() {
    return quantity.isLatency() ? Unit.MILLISECONDS : unit;
  }

  /** Returns a formatted number with the unit: {@code 12.3 ms}. */
  public String withUnit(String formatted) {
    return formatted + shownUnit().shown;
  }

  /** Returns the limit in its shortest form: {@code step 3 get p99.9 < 100 ms}. */
  @Override
  public String toString() {
    return (step.isPresent() ? "step " + step.getAsInt() + " " : "")
        + operation.map(name -> name + " ").orElse("")
        + "%s %s %s".formatted(quantity, relation.sign, number.toPlainString())
        + unit.shown;
  }
}
