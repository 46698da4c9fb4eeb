package io.quorate.results.hosts;

import java.util.Locale;

/** The two ends of a measured step at which all machines are sampled. */
public enum StepBoundary {
  /** Just before the first request of the step. */
  BEGIN,
  /** Just after the last request of the step has ended. */
  END;

  /** Returns the label in files: {@code begin} or {@code end}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
