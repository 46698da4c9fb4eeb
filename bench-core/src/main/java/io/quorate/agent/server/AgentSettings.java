// SPDX-License-Identifier: Apache-2.0
package io.quorate.agent.server;

import io.quorate.QuorateException;
import io.quorate.agent.KeyDirectory;
import io.quorate.agent.Protocol;
import io.quorate.cluster.ClusterSettings;
import io.quorate.store.Endpoint;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Settings of an agent.
 *
 * @param listen address where load generators connect; port 0 for a free one
 * @param keys keys of the agent; empty to accept only this machine, without encryption
 * @param cluster how servers are started and stopped
 * @param silenceLimit how long a load generator may be silent before its member is stopped
 * @param console receives a line about each event, from any thread
 */
public record AgentSettings(
    InetSocketAddress listen,
    Path data,
    Optional<KeyDirectory> keys,
    ClusterSettings cluster,
    Clock clock,
    Duration silenceLimit,
    Consumer<String> console) {
  /**
   * Checks the settings.
   *
   * @throws QuorateException if the host is not known, or other machines could connect without a
   *     key
   */
  public AgentSettings {
    if (listen.isUnresolved()) {
      throw new QuorateException("host '" + listen.getHostString() + "' is not known");
    }
    if (keys.isEmpty() && !listen.getAddress().isLoopbackAddress()) {
      throw new QuorateException(
          ("%1$s is reachable from other machines, and without keys all their users could start"
                  + " servers here: create keys (./quorate agent keys --directory DIR --hosts"
                  + " %1$s,...) and name them with --keys DIR/agents/%1$s, or listen at 127.0.0.1")
              .formatted(listen.getHostString()));
    }
  }

  /** Returns default settings: the clock of this machine, and a silence limit of 15 s. */
  public static AgentSettings of(
      Endpoint listen,
      Path data,
      Optional<KeyDirectory> keys,
      ClusterSettings cluster,
      Consumer<String> console) {
    try {
      return new AgentSettings(
          new InetSocketAddress(InetAddress.getByName(listen.host()), listen.port()),
          data,
          keys,
          cluster,
          Clock.systemUTC(),
          Protocol.SILENCE_LIMIT,
          console);
    } catch (UnknownHostException unknown) {
      throw new QuorateException("host '" + listen.host() + "' is not known", unknown);
    }
  }
}
