package io.quorate.scenario;

import java.util.Locale;

/** The operation of a scenario's requests. */
public enum Operation {
  WRITE,
  READ;

  /** Returns the name in scenario files. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
