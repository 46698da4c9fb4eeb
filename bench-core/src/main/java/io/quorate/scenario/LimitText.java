package io.quorate.scenario;

import io.quorate.Spelling;
import io.quorate.VisibleText;
import io.quorate.scenario.Limit.Kind;
import io.quorate.scenario.Limit.Quantity;
import io.quorate.scenario.Limit.Relation;
import io.quorate.scenario.Limit.Unit;
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
 * Parses a limit: {@code [step N] [OPERATION] QUANTITY RELATION NUMBER UNIT}. A colon may follow
 * the step and the operation.
 */
final class LimitText {
  private static final int MAX_LENGTH = 200;
  private static final String STEP = "step";
  private static final Pattern WORD =
      Pattern.compile(":|[<>=!\u2264\u2265]+|[^\\s:<>=!\u2264\u2265]+");
  private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,2}");
  private static final Pattern PERCENTILE = Pattern.compile("p([0-9]{1,2}(?:\\.[0-9]{1,4})?|100)");
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
                  "shed",
                  "throughput"),
              Arrays.stream(Operation.values()).map(Operation::id),
              Stream.of(STEP))
          .flatMap(names -> names)
          .toList();

  private final String text;
  private final BiConsumer<String, String> problem;
  private final List<String> words = new ArrayList<>();
  private int next;

  /**
   * @param problem is given what was found and what was expected, if the text is wrong
   */
  LimitText(String text, BiConsumer<String, String> problem) {
    this.text = text;
    this.problem = problem;
    Matcher matcher = WORD.matcher(text);
    while (matcher.find()) {
      words.add(matcher.group());
    }
  }

  /** Returns the limit; empty, and reported, if the text is wrong. */
  Optional<Limit> read() {
    if (text.length() > MAX_LENGTH) {
      return wrong("a limit of at most " + MAX_LENGTH + " characters");
    }
    OptionalInt step = OptionalInt.empty();
    if (word().equals(STEP)) {
      next++;
      if (!NUMBER.matcher(word()).matches()) {
        return wrong("the number of a step, from 1, such as step 3: p99 < 50 ms");
      }
      step = OptionalInt.of(Integer.parseInt(take()));
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
          "a percentile such as p99, or mean, max, errors, shed or throughput, with a step and an"
              + " operation before it if it is about one, such as step 3 get p99 < 50 ms"
              + Spelling.hint(NAMES, word()));
    }
    next++;
    return compared(step, operation, quantity.get());
  }

  private Optional<Limit> compared(
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
      boolean whole = unit != Unit.COUNT || number.scale() == 0;
      if (unit.measures(quantity) && whole) {
        return Optional.of(new Limit(step, operation, quantity, relation.get(), number, unit));
      }
    }
    return wrong(
        switch (quantity.kind()) {
          case ERRORS, SHED -> "a number of requests such as 0, or a part of them such as 0.1 %";
          case THROUGHPUT -> "requests per second such as 5000/s";
          default -> "a time such as 200 us, 50 ms or 1.5 s";
        });
  }

  private static Optional<Quantity> quantity(String name) {
    Matcher percentile = PERCENTILE.matcher(name);
    if (percentile.matches()) {
      BigDecimal percent = new BigDecimal(percentile.group(1));
      return percent.signum() == 0
          ? Optional.empty()
          : Optional.of(new Quantity(Kind.PERCENTILE, Optional.of(percent)));
    }
    return Arrays.stream(Kind.values())
        .filter(kind -> kind != Kind.PERCENTILE && kind.id().equals(name))
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

  private String take() {
    return words.get(next++);
  }

  private Optional<Limit> wrong(String expected) {
    problem.accept("the limit " + VisibleText.quoted(text), expected);
    return Optional.empty();
  }
}
