package io.quorate.scenario;

import java.util.List;

/**
 * A search for the capacity of each database, in place of the load of a scenario.
 *
 * @param limits within which the load has to be, at least one
 * @param quick whether it is to 10 % in about 3 minutes, not to 5 % in about 12
 */
public record CapacityGoal(List<RequestLimit> limits, boolean quick) {
  public CapacityGoal {
    limits = List.copyOf(limits);
    if (limits.isEmpty()) {
      throw new IllegalArgumentException("expected a limit");
    }
  }
}
