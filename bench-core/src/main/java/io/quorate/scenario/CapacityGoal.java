package io.quorate.scenario;

import java.util.List;
import java.util.Locale;

/**
 * A search for the capacity of each database, in place of the load of a scenario.
 *
 * @param limits within which the load has to be, at least one
 * @param quick whether it is to 10 % in about 3 minutes, not to 5 % in about 12
 * @param load what is searched
 * @param preloadBytes of keys and values beside those of the scenario with which the search is
 *     repeated, ascending; empty for none
 */
public record CapacityGoal(
    List<RequestLimit> limits, boolean quick, Load load, List<Long> preloadBytes) {
  /** A load whose largest value within the limits is searched. */
  public enum Load {
    /** The most requests per second, sent when they are due. */
    RATE,
    /** The most clients of a closed loop. */
    CLIENTS;

    /** Returns the name in scenarios and files. */
    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public CapacityGoal {
    limits = List.copyOf(limits);
    preloadBytes = List.copyOf(preloadBytes);
    if (limits.isEmpty()) {
      throw new IllegalArgumentException("expected a limit");
    }
  }
}
