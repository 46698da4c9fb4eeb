// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import io.quorate.scenario.Step;
import io.quorate.store.Connection;
import java.util.List;

/**
 * Loops of several groups that run at the same time, each with its part of the clients and of the
 * connections.
 *
 * @param groups clients and connections of each loop
 */
record SideBySide(List<Loop> loops, List<Step> groups) implements Loop {
  @Override
  public void join(
      int number, List<? extends Connection> connections, RequestLog log, Runnable whenDone) {
    int group = 0;
    int client = number;
    int connection = 0;
    while (client >= groups.get(group).clients()) {
      client -= groups.get(group).clients();
      connection += groups.get(group).connections();
      group++;
    }
    int end = connection + groups.get(group).connections();
    loops.get(group).join(client, connections.subList(connection, end), log, whenDone);
  }

  @Override
  public List<LoadGeneratorStall> stalls() {
    return loops.stream().map(Loop::stalls).reduce(List.of(), LoadGeneratorStall::merged);
  }
}
