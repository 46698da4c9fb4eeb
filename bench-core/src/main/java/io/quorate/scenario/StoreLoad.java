// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import io.quorate.store.ClientKind;
import io.quorate.store.Operation;
import io.quorate.store.ServerSettings;
import io.quorate.store.Store;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * One database of a scenario and the load it gets.
 *
 * @param steps steps in order, at least one
 */
public record StoreLoad(Column column, List<Step> steps) {
  public StoreLoad {
    steps = List.copyOf(steps);
    if (steps.isEmpty()) {
      throw new IllegalArgumentException("a load needs at least one step");
    }
  }

  /** Creates the load of a store whose servers have the usual settings. */
  public StoreLoad(Store database, List<Step> steps) {
    this(new Column(database), steps);
  }

  public Store database() {
    return column.store();
  }

  public ServerSettings settings() {
    return column.settings();
  }

  /** Returns the kind of client that sends the load. */
  public ClientKind client() {
    return column.client().orElse(database().clients().get(0));
  }

  public boolean endsByTime() {
    return steps.stream().anyMatch(Step::endsByTime);
  }

  /** Returns how many connections its requests have at most at the same time. */
  public int mostConnections() {
    return steps.stream().mapToInt(Step::connections).max().orElseThrow();
  }

  /** Returns the most places in the queues of locks, and keys of sessions that are abandoned. */
  public long keysOfSessions(OperationMix mix, OperationMix.Sessions plan) {
    long waiting = steps.stream().mapToInt(Step::clients).max().orElseThrow();
    // the place of a client that stopped stays for a TTL, when the client has another one already
    long ofEach = plan.crashEvery() > 0 || plan.pauseEvery() > 0 ? 2 : 1;
    boolean locks = mix.has(Operation.LOCK) || mix.has(Operation.ELECT);
    return (locks ? ofEach * waiting : 0)
        + (mix.has(Operation.EXPIRE)
            ? steps.stream().mapToLong(Step::mostInFlight).max().orElseThrow()
            : 0);
  }

  /**
   * Returns how many keys its phases and groups write, as far as their weights say.
   *
   * @param requests returns the number of requests of a step without groups
   */
  public double keysWritten(OperationMix mix, ToLongFunction<Step> requests) {
    return steps.stream()
        .flatMap(step -> step.parts().stream())
        .mapToDouble(
            part -> mix.keysWritten(requests.applyAsLong(part), part.shares().orElse(mix.shares())))
        .sum();
  }

  public long requests() {
    return steps.stream().mapToLong(Step::requests).sum();
  }
}
