package io.quorate.report.verdict;

/** Which of two values of a figure one would rather have. */
public enum Better {
  HIGHER,
  LOWER
}
