package io.quorate.store;

import java.math.BigDecimal;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/** A number that a server tells, and as it is published. */
public final class Figure {
  private static final Pattern NUMBER =
      Pattern.compile("-?\\d{1,20}(\\.\\d{1,20})?([eE][+-]?\\d{1,3})?");
  private static final double LARGEST = 1e20;

  private Figure() {}

  /** Empty when it is no number, or one that no server can mean. */
  public static OptionalDouble parse(String text) {
    return NUMBER.matcher(text).matches()
        ? known(Double.parseDouble(text))
        : OptionalDouble.empty();
  }

  /** Empty when it is none that a server can mean. */
  public static OptionalDouble known(double value) {
    return Math.abs(value) <= LARGEST ? OptionalDouble.of(value) : OptionalDouble.empty();
  }

  /** The shortest decimals, without an exponent. */
  public static String text(double value) {
    return new BigDecimal(Double.toString(value)).stripTrailingZeros().toPlainString();
  }
}
