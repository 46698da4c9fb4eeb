package io.quorate.agent.server;

import java.time.Duration;

/**
 * Limits for connections to an agent.
 *
 * @param connections at a time; beyond them a new one takes the place of one without a session
 * @param handshake time until the connection is encrypted and speaks HTTP/2
 * @param withoutSession time that a connection may be open without holding the agent
 * @param bytesWithoutSession that may come on a connection without a session
 * @param framesWithoutSession of HTTP/2 that may come on a connection without a session: a Hello
 *     takes about ten
 * @param holderFramesPerSecond that may come during a session: most of them acknowledge what the
 *     agent sends
 * @param holderControlFramesPerSecond the same without data, acknowledgements and pings
 */
public record ConnectionLimits(
    int connections,
    Duration handshake,
    Duration withoutSession,
    int bytesWithoutSession,
    int framesWithoutSession,
    int holderFramesPerSecond,
    int holderControlFramesPerSecond) {
  /** Returns the default limits. */
  public static ConnectionLimits usual() {
    return new ConnectionLimits(
        64, Duration.ofSeconds(10), Duration.ofSeconds(20), 1 << 20, 200, 10_000, 20);
  }

  /** Returns these limits with another time for a connection without a session. */
  public ConnectionLimits withoutSession(Duration limit) {
    return new ConnectionLimits(
        connections,
        handshake,
        limit,
        bytesWithoutSession,
        framesWithoutSession,
        holderFramesPerSecond,
        holderControlFramesPerSecond);
  }
}
