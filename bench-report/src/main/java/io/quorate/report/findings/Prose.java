package io.quorate.report.findings;

import io.quorate.format.NumberFormats;
import java.util.List;

/** Formats parts of sentences. */
final class Prose {
  private static final int TWICE = 2;

  private Prose() {}

  /** Returns {@code a}, {@code a and b}, {@code a, b and c}. */
  static String list(List<String> parts) {
    int last = parts.size() - 1;
    return last <= 0
        ? String.join("", parts)
        : String.join(", ", parts.subList(0, last)) + " and " + parts.get(last);
  }

  /**
   * Tells how much more the larger one is: {@code 36 % more than}, {@code 2.4 times as many as}.
   */
  static String more(double larger, double smaller, String than, String as) {
    double factor = larger / smaller;
    return factor < TWICE
        ? NumberFormats.fixed((factor - 1) * 100, 0) + " % " + than
        : NumberFormats.fixed(factor, 1) + " times as " + as;
  }

  /** Returns {@code get and put together}. */
  static String together(List<String> operations) {
    return list(operations) + " together";
  }

  /** Returns {@code " (get and put together)"}; empty if there is none. */
  static String inParentheses(List<String> operations) {
    return operations.isEmpty() ? "" : " (" + together(operations) + ")";
  }

  static String clients(long clients) {
    return count(clients) + (clients == 1 ? " client" : " clients");
  }

  static String perSecond(double requests) {
    return NumberFormats.commas((long) requests);
  }

  static String ms(double ms) {
    return NumberFormats.fixed(ms, 3) + " ms";
  }

  static String percent(double percent) {
    return NumberFormats.fixed(percent, 1) + " %";
  }

  static String bytes(double bytes) {
    return NumberFormats.humanizedBytes((long) bytes);
  }

  static String count(long count) {
    return NumberFormats.commas(count);
  }
}
