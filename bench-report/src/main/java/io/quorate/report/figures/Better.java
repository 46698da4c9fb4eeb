package io.quorate.report.figures;

/** The direction in which a figure is better. */
public enum Better {
  HIGHER,
  LOWER
}
