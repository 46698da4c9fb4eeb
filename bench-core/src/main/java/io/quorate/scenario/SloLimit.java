// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.quorate.Named;
import io.quorate.Spelling;
import io.quorate.VisibleText;
import io.quorate.store.Operation;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A limit for the results of each database of a scenario, such as {@code step 3 get p99 < 50 ms}.
 *
 * @param step number of the step, from 1; empty for all steps together
 * @param operation operation; empty for all operations together
 * @param number number in the unit
 */
public record SloLimit(
    OptionalInt step,
    Optional<Operation> operation,
    Quantity quantity,
    Relation relation,
    BigDecimal number,
    Unit unit) {

  /**
   * The kinds of quantities. They cover all intended requests: a request that failed, timed out or
   * was dropped has no latency, and violates every limit of latencies.
   */
  public enum Kind implements Named {
    PERCENTILE,
    MEAN,
    MAX,
    /** Requests that failed, timed out or were dropped. */
    ERRORS,
    /** Requests that were dropped: due, but never sent, as too many were in flight. */
    DROPPED,
    /** Requests that succeeded, by the measured time. */
    THROUGHPUT
  }

  /** A quantity; a percentile has a percent above 0 and at most 100, other kinds have none. */
  public record Quantity(Kind kind, Optional<BigDecimal> percent) {
    public boolean isLatency() {
      return !isCount() && kind != Kind.THROUGHPUT;
    }

    public boolean isCount() {
      return kind == Kind.ERRORS || kind == Kind.DROPPED;
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

  /** Units of limits. */
  public enum Unit {
    MICROSECONDS("us", " us", "0.001"),
    MILLISECONDS("ms", " ms", "1"),
    SECONDS("s", " s", "1000"),
    COUNT("", "", "1"),
    PERCENT("%", "%", "1"),
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

  /** Parses a limit as {@link #toString} writes it; empty if the text is not a limit. */
  public static Optional<SloLimit> parse(String text) {
    return parse(text, (found, expected) -> {});
  }

  /** Parses a limit for Jackson, which reports the exception. */
  @JsonCreator
  static SloLimit of(String text) {
    return parse(text)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "found "
                        + VisibleText.quoted(text)
                        + ", expected a limit such as 'p99 < 50 ms'"));
  }

  /**
   * Parses a limit; {@code problem} receives what was found and what was expected in a wrong text.
   */
  public static Optional<SloLimit> parse(String text, BiConsumer<String, String> problem) {
    return new Text(text, problem).read();
  }

  /** Returns whether a value keeps this limit, in the unit of {@link #baseNumber}. */
  public boolean isKeptBy(double found) {
    return relation.holds(found, baseNumber().doubleValue());
  }

  /** Returns the number in milliseconds, percent or requests per second, or a count. */
  public BigDecimal baseNumber() {
    return number.multiply(unit.factor);
  }

  /**
   * Returns the unit in which found values are shown: ms for all times, otherwise the unit of the
   * limit.
   */
  public Unit shownUnit() {
    return quantity.isLatency() ? Unit.MILLISECONDS : unit;
  }

  /** Returns a formatted number with the unit: {@code 12.3 ms}. */
  public String withUnit(String formatted) {
    return formatted + shownUnit().shown;
  }

  /** Returns the limit in its shortest form: {@code step 3 get p99.9 < 100 ms}. */
  @JsonValue
  @Override
  public String toString() {
    return (step.isPresent() ? "step " + step.getAsInt() + " " : "")
        + operation.map(name -> name + " ").orElse("")
        + "%s %s %s".formatted(quantity, relation.sign, number.toPlainString())
        + unit.shown;
  }

  /**
   * Parses a limit: {@code [step N] [OPERATION] QUANTITY RELATION NUMBER UNIT}. A colon may follow
   * the step and the operation.
   */
  private static final class Text {
    private static final int MAX_LENGTH = 200;
    private static final String STEP = "step";
    private static final String OLDER_NAME_OF_DROPPED = "shed";
    private static final Pattern WORD =
        Pattern.compile(":|[<>=!\u2264\u2265]+|[^\\s:<>=!\u2264\u2265]+");
    private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);
    private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,2}");
    private static final Pattern PERCENTILE =
        Pattern.compile("p([0-9]{1,2}(?:\\.[0-9]{1,4})?|100)");
    private static final Pattern BOUND =
        Pattern.compile("([0-9]{1,12}(?:_[0-9]{3}){0,3}(?:\\.[0-9]{1,6})?)(us|ms|s|%|/s)?");
    private static final List<String> NAMES =
        Stream.of(
                Stream.of(
                    "p50",
                    "p90",
                    "p95",
                    "p99",
                    "p99.9",
                    "mean",
                    "max",
                    "errors",
                    "dropped",
                    "throughput"),
                Arrays.stream(Operation.values()).map(Operation::id),
                Stream.of(STEP))
            .flatMap(names -> names)
            .toList();

    private final String text;
    private final BiConsumer<String, String> problem;
    private final List<String> words = new ArrayList<>();
    private int next;

    Text(String text, BiConsumer<String, String> problem) {
      this.text = text;
      this.problem = problem;
      Matcher matcher = WORD.matcher(text);
      while (matcher.find()) {
        words.add(matcher.group());
      }
    }

    Optional<SloLimit> read() {
      if (text.length() > MAX_LENGTH) {
        return wrong("a threshold of at most " + MAX_LENGTH + " characters");
      }
      OptionalInt step = OptionalInt.empty();
      if (word().equals(STEP)) {
        next++;
        if (!NUMBER.matcher(word()).matches()) {
          return wrong("the number of a step, from 1, such as step 3: p99 < 50 ms");
        }
        step = OptionalInt.of(Integer.parseInt(words.get(next++)));
        skipColon();
      }
      Optional<Operation> operation = Operation.named(word());
      if (operation.isPresent()) {
        next++;
        skipColon();
      }
      Optional<Quantity> quantity = quantity(word());
      if (quantity.isEmpty()) {
        return wrong(
            "a percentile such as p99, or mean, max, errors, dropped or throughput, with a step and"
                + " an operation before it if it is about one, such as step 3 get p99 < 50 ms"
                + Spelling.hint(NAMES, word()));
      }
      next++;
      return compared(step, operation, quantity.get());
    }

    private Optional<SloLimit> compared(
        OptionalInt step, Optional<Operation> operation, Quantity quantity) {
      boolean countable = quantity.isCount();
      Optional<Relation> relation =
          Relation.of(word()).filter(each -> countable || each != Relation.EQUAL);
      if (relation.isEmpty()) {
        return wrong("<, <=, > or >=" + (countable ? ", or =," : "") + " after " + quantity);
      }
      next++;
      Matcher bound = BOUND.matcher(String.join("", words.subList(next, words.size())));
      if (bound.matches()) {
        Unit unit = Unit.of(Optional.ofNullable(bound.group(2)).orElse(""));
        BigDecimal number = new BigDecimal(bound.group(1).replace("_", ""));
        if (relation.get() == Relation.BELOW && number.signum() == 0) {
          return wrong(countable ? quantity + " = 0" : "a number above 0 after <");
        }
        if (unit.measures(quantity) && isPossible(quantity, number, unit)) {
          return Optional.of(new SloLimit(step, operation, quantity, relation.get(), number, unit));
        }
      }
      return wrong(
          switch (quantity.kind()) {
            case ERRORS, DROPPED ->
                "a number of requests such as 0, or a fraction up to 100%, such as 0.1%";
            case THROUGHPUT -> "requests per second such as 5000/s";
            default -> "a time above 0 such as 200 us, 50 ms or 1.5 s";
          });
    }

    private static boolean isPossible(Quantity quantity, BigDecimal number, Unit unit) {
      return switch (unit) {
        case COUNT -> number.scale() == 0;
        case PERCENT -> number.compareTo(HUNDRED) <= 0;
        default -> number.signum() > 0 || !quantity.isLatency();
      };
    }

    private static Optional<Quantity> quantity(String name) {
      Matcher percentile = PERCENTILE.matcher(name);
      if (percentile.matches()) {
        BigDecimal percent = new BigDecimal(percentile.group(1));
        return percent.signum() == 0
            ? Optional.empty()
            : Optional.of(new Quantity(Kind.PERCENTILE, Optional.of(percent)));
      }
      String id = name.equals(OLDER_NAME_OF_DROPPED) ? Kind.DROPPED.id() : name;
      return Arrays.stream(Kind.values())
          .filter(kind -> kind != Kind.PERCENTILE && kind.id().equals(id))
          .findFirst()
          .map(kind -> new Quantity(kind, Optional.empty()));
    }

    private void skipColon() {
      if (word().equals(":")) {
        next++;
      }
    }

    private String word() {
      return next < words.size() ? words.get(next) : "";
    }

    private Optional<SloLimit> wrong(String expected) {
      problem.accept("the threshold " + VisibleText.quoted(text), expected);
      return Optional.empty();
    }
  }
}
