// SPDX-License-Identifier: Apache-2.0
package io.quorate.agent;

import io.quorate.Pause;
import io.quorate.QuorateException;
import io.quorate.format.NumberFormats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The clock offsets of the agents of a cluster.
 *
 * @param aheadNanos how far each agent's clock was ahead of the local clock; negative if it was
 *     behind
 */
record AgentClocks(List<AgentConnection> agents, List<Long> aheadNanos) {
  /** Offset above which a clock is corrected. */
  private static final Duration TOLERANCE = Duration.ofMillis(50);

  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Duration PAUSE = Duration.ofMillis(20);

  /** Measures all offsets with {@value ClockOffset#KEPT} questions each; fails without answers. */
  static AgentClocks measure(List<AgentConnection> agents) {
    List<Long> offsets = new ArrayList<>();
    long deadline = System.nanoTime() + LIMIT.toNanos();
    for (AgentConnection agent : agents) {
      while (agent.offset().count() < ClockOffset.KEPT
          && agent.lost().isEmpty()
          && System.nanoTime() < deadline) {
        agent.beat(0);
        Pause.of(PAUSE, "agents");
      }
      OptionalLong ahead = agent.offset().aheadNanos();
      if (ahead.isEmpty()) {
        throw new QuorateException(
            agent.lost().orElse("agent " + agent.agent() + " does not answer"));
      }
      offsets.add(ahead.getAsLong());
    }
    return new AgentClocks(agents, offsets);
  }

  long aheadNanos(int agent) {
    return aheadNanos.get(agent);
  }

  /** Returns the correction to subtract from an agent's time: 0 if the offset is small. */
  long correctionNanos(int agent) {
    return isOff(aheadNanos(agent)) ? aheadNanos(agent) : 0;
  }

  private static boolean isOff(long nanos) {
    return Math.abs(nanos) > TOLERANCE.toNanos();
  }

  List<String> corrections() {
    List<String> said = new ArrayList<>();
    for (int i = 0; i < agents.size(); i++) {
      if (isOff(aheadNanos(i))) {
        said.add(
            "agent %s: its clock is %s ms %s; its times are corrected"
                .formatted(
                    agents.get(i).agent(),
                    millis(Math.abs(aheadNanos(i))),
                    aheadNanos(i) > 0 ? "ahead" : "behind"));
      }
    }
    return said;
  }

  /** Returns a readable line about each clock that has drifted from the local clock since then. */
  List<String> movements() {
    List<String> said = new ArrayList<>();
    for (int i = 0; i < agents.size(); i++) {
      long moved = agents.get(i).offset().aheadNanos().orElse(aheadNanos(i)) - aheadNanos(i);
      if (isOff(moved)) {
        said.add(
            "agent %s: its clock has moved by %s ms against ours during the run"
                .formatted(agents.get(i).agent(), millis(moved)));
      }
    }
    return said;
  }

  private static String millis(long nanos) {
    return NumberFormats.fixed(nanos / 1e6, 0);
  }
}
