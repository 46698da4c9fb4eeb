package io.quorate.report.table;

import io.quorate.QuorateException;
import java.util.Arrays;
import java.util.Locale;

/** The two ways in which the reference has named rows. */
public enum RowLabels {
  /** Labels of its tables of 2017Q1. */
  EARLIER,
  /** Labels of all its other tables. */
  LATER;

  /**
   * Parses an option.
   *
   * @throws QuorateException if it is none of these
   */
  public static RowLabels parse(String text) {
    return Arrays.stream(values())
        .filter(labels -> labels.toString().equals(text))
        .findFirst()
        .orElseThrow(
            () -> new QuorateException("--labels " + text + ": expected earlier or later"));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
