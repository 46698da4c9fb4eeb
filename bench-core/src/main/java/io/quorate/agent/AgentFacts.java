package io.quorate.agent;

import io.quorate.agent.wire.Welcome;
import io.quorate.results.manifest.ServerFacts;
import io.quorate.store.Endpoint;
import java.util.Optional;
import java.util.OptionalLong;

/** Converts an agent's description of itself to a manifest entry with escaped text. */
final class AgentFacts {
  private static final long NANOS_PER_MICRO = 1_000;

  private AgentFacts() {}

  /**
   * @param aheadNanos by how much its clock is ahead of ours
   */
  static ServerFacts.Agent of(Endpoint agent, Welcome said, long aheadNanos) {
    return new ServerFacts.Agent(
        agent.toString(),
        Optional.of(Protocol.word(said.getHost())).filter(host -> !host.isEmpty()),
        Protocol.word(said.getOs()),
        Protocol.word(said.getKernel()),
        Math.max(0, said.getCores()),
        said.hasMemoryBytes()
            ? OptionalLong.of(Math.max(0, said.getMemoryBytes()))
            : OptionalLong.empty(),
        Protocol.word(said.getSuite()),
        aheadNanos / NANOS_PER_MICRO);
  }
}
