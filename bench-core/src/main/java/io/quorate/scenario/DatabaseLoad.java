package io.quorate.scenario;

import io.quorate.store.Store;
import java.util.List;

/**
 * One database of a scenario and the load it gets.
 *
 * @param steps at least one, in order
 */
public record DatabaseLoad(Store database, List<Step> steps) {
  public DatabaseLoad {
    steps = List.copyOf(steps);
    if (steps.isEmpty()) {
      throw new IllegalArgumentException("a load needs at least one step");
    }
  }

  /** Returns the number of requests of all steps. */
  public long requests() {
    return steps.stream().mapToLong(Step::requests).sum();
  }
}
