// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import java.util.List;
import java.util.Optional;

/**
 * What the results of a run are judged by.
 *
 * @param limits limits for the results of each database; may be empty
 * @param gate largest changes since earlier runs; may be empty
 * @param capacity capacity search that replaces the load; empty for the load
 */
public record Goals(List<SloLimit> limits, List<GateRule> gate, Optional<CapacityGoal> capacity) {
  public Goals {
    limits = List.copyOf(limits);
    gate = List.copyOf(gate);
  }

  Goals withoutLimits() {
    return new Goals(List.of(), gate, capacity);
  }
}
