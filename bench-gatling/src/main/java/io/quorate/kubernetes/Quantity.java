package io.quorate.kubernetes;

import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A quantity of Kubernetes, such as {@code 10Gi}, {@code 1.5T} or {@code 1e9}. */
record Quantity(BigDecimal amount) {
  private static final int MAX_LENGTH = 40;
  private static final Pattern SYNTAX =
      Pattern.compile(
          "[+]?(?<number>[0-9]+[.]?[0-9]*|[.][0-9]+)(?<suffix>[KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]{1,2})?");

  private static final Map<String, Integer> DECIMAL =
      Map.of("n", -9, "u", -6, "m", -3, "k", 3, "M", 6, "G", 9, "T", 12, "P", 15, "E", 18);

  /** Suffixes of powers of 1024. */
  private static final String BINARY = "KMGTPE";

  private static final BigDecimal KIBI = BigDecimal.valueOf(1024);

  /** Reads a quantity without a minus; empty if it is anything else. */
  static Optional<Quantity> parse(String text) {
    Matcher parts = SYNTAX.matcher(text);
    if (text.length() > MAX_LENGTH || !parts.matches()) {
      return Optional.empty();
    }
    BigDecimal number = new BigDecimal(parts.group("number"));
    String suffix = parts.group("suffix");
    return Optional.of(new Quantity(suffix == null ? number : multiple(number, suffix)));
  }

  private static BigDecimal multiple(BigDecimal number, String suffix) {
    if (suffix.endsWith("i")) {
      return number.multiply(KIBI.pow(BINARY.indexOf(suffix.charAt(0)) + 1));
    }
    return number.scaleByPowerOfTen(
        DECIMAL.containsKey(suffix) ? DECIMAL.get(suffix) : Integer.parseInt(suffix.substring(1)));
  }
}
