package io.quorate.agent;

import io.quorate.store.Endpoint;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Keeps what one agent says to people, each remark once. Safe for several threads. */
final class AgentRemarks {
  private static final int MOST = 100;

  private final Endpoint agent;
  private final Set<String> remarks = new LinkedHashSet<>();
  private final List<String> memberEnds = new ArrayList<>();

  AgentRemarks(Endpoint agent) {
    this.agent = agent;
  }

  synchronized void add(String text) {
    if (remarks.size() < MOST) {
      remarks.add("agent " + agent + ": " + Protocol.shown(text));
    }
  }

  /**
   * Adds that a member has ended by itself.
   *
   * @param how it ended
   */
  synchronized void memberEnded(String how) {
    if (memberEnds.size() < MOST) {
      memberEnds.add(Protocol.shown(how) + " (agent " + agent + ")");
    }
  }

  synchronized List<String> all() {
    return List.copyOf(remarks);
  }

  synchronized List<String> memberEnds() {
    return List.copyOf(memberEnds);
  }
}
