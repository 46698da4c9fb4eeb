// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import io.quorate.load.workload.RequestSource;
import io.quorate.measure.StepRecorder;
import io.quorate.scenario.LoadModel;
import io.quorate.scenario.Shard;
import io.quorate.scenario.Step;
import io.quorate.scenario.StoreLoad;
import java.util.Optional;

/**
 * Every second part of the warm-up of a load with an open loop, which is sent on schedule. Without
 * them, the JVM would load the classes of the open loop in the measured step, and would compile the
 * path of a request again. For one thread.
 */
final class ScheduledParts {
  private final Optional<LoadModel.Open> model;
  private final long seed;
  private int parts;

  ScheduledParts(StoreLoad load, long seed) {
    this.model =
        load.steps().stream()
            .flatMap(step -> step.parts().stream())
            .filter(Step::isOpen)
            .findFirst()
            .map(step -> (LoadModel.Open) step.model());
    this.seed = seed;
  }

  /** Begins the next part, of a second. */
  void next() {
    parts++;
  }

  /** Returns whether the present part is sent on schedule; false before the first. */
  boolean isPresent() {
    return model.isPresent() && parts > 0 && parts % 2 == 0;
  }

  /** Returns a loop of the present part, at the rate at which the first open loop begins. */
  Loop loop(
      RequestCounter budget,
      RequestSource request,
      StepRecorder recorder,
      long requests,
      int connections) {
    LoadModel.Open open = model.orElseThrow();
    var dueTimes = new DueTimes(open, seed, Shard.WHOLE);
    var pacer = new Pacer(dueTimes, open.peak(), Math.min(requests, open.ratePerSecond()));
    return new OpenLoop(budget, pacer, request, recorder, open.maxOutstanding(), connections);
  }
}
