// SPDX-License-Identifier: Apache-2.0
package io.quorate.agent;

import io.quorate.agent.server.AgentServer;
import io.quorate.agent.server.AgentSettings;
import io.quorate.cluster.ClusterSettings;
import io.quorate.install.Installation;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;

/**
 * Agents in this process, at free ports of loopback addresses. They kill their members as soon as
 * these are to stop.
 */
public final class TestAgents {
  private TestAgents() {}

  public static AgentServer start(String host, Path data, Optional<KeyDirectory> keys) {
    return start(
        host,
        data,
        keys,
        Clock.systemUTC(),
        Protocol.SILENCE_LIMIT,
        new java.util.concurrent.ConcurrentLinkedQueue<>());
  }

  public static AgentServer start(
      String host,
      Path data,
      Optional<KeyDirectory> keys,
      Clock clock,
      Duration silenceLimit,
      Queue<String> console) {
    return new AgentServer(settings(host, data, keys, clock, silenceLimit, console));
  }

  static AgentSettings settings(
      String host,
      Path data,
      Optional<KeyDirectory> keys,
      Clock clock,
      Duration silenceLimit,
      Queue<String> console) {
    return new AgentSettings(
        new InetSocketAddress(host, 0),
        data,
        keys,
        ClusterSettings.defaults(Installation.of(System.getenv(), System.getProperties()))
            .withLimits(Duration.ofMinutes(3), Duration.ZERO),
        clock,
        silenceLimit,
        console::add);
  }
}
