package io.quorate.scenario;

import java.util.Locale;

/** What the requests of a scenario do. */
public enum Operation {
  WRITE,
  READ;

  /** The name in scenario files. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
