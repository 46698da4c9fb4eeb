package io.quorate.run;

import java.util.Locale;

/** The two ends of a measured step at which all machines are sampled. */
public enum StepBoundary {
  /** Just before its first request. */
  BEGIN,
  /** Just after its last request has ended. */
  END;

  /** As files have it: {@code begin} or {@code end}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
