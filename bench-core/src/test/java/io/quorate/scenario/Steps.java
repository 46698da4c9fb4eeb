// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import java.util.Optional;
import java.util.OptionalLong;

/** Steps for tests. */
public final class Steps {
  private Steps() {}

  /** Returns a step of a closed loop without a limit, which ends with its last request. */
  public static Step closed(int clients, int connections, long requests) {
    LoadModel model = new LoadModel.Closed(clients, OptionalLong.empty());
    return new Step(model, connections, requests, Optional.empty());
  }

  /** Returns a closed loop with watchers. */
  public static Step watched(int clients, int connections, long requests, WatchLoad watchers) {
    Step step = closed(clients, connections, requests);
    return new Step(step.model(), connections, requests, step.duration(), Optional.of(watchers));
  }
}
