package io.quorate.report.verdict;

/** The direction in which a figure is better. */
public enum Better {
  HIGHER,
  LOWER
}
