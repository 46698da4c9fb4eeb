// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.server.Figure;
import io.quorate.store.server.Membership;
import io.quorate.store.server.ServerPlan;
import java.io.IOException;
import java.time.Duration;

/**
 * Follows an observer that connects to an ensemble without other observers. It needs no dynamic
 * reconfiguration, and leaves when its process ends.
 */
final class ZooKeeperMembership implements Membership {
  private static final String OBSERVERS = "zk_synced_observers\t";

  @Override
  public void admit(Endpoint member, ServerPlan joining, Access access, Duration timeout) {
    // it connects by the addresses in its settings
  }

  /** Returns whether the leader counts an observer that has all its data. */
  @Override
  public Role role(Endpoint member, ServerPlan joining, Access access, Duration timeout)
      throws IOException {
    String answer = FourLetterWord.MNTR.ask(member, access, timeout);
    return Figure.sum(answer, OBSERVERS) > 0 ? Role.LEARNER : Role.ABSENT;
  }

  @Override
  public void promote(Endpoint member, ServerPlan joining, Access access, Duration timeout) {
    // an observer stays one
  }

  @Override
  public void remove(Endpoint member, ServerPlan joining, Access access, Duration timeout) {
    // the end of its process is enough
  }

  @Override
  public Role lastRole() {
    return Role.LEARNER;
  }
}
