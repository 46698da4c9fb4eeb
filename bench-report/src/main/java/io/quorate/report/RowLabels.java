package io.quorate.report;

import io.quorate.QuorateException;
import java.util.Arrays;
import java.util.Locale;

/** How rows are named, of which the reference has had two ways. */
enum RowLabels {
  /** As in its tables of 2017Q1. */
  EARLIER,
  /** As in all others. */
  LATER;

  /**
   * Reads an option.
   *
   * @throws QuorateException if it is none of these
   */
  static RowLabels parse(String text) {
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
