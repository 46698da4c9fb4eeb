package io.quorate.report.analysis;

/** The direction in which a figure is better. */
public enum Better {
  HIGHER,
  LOWER
}
