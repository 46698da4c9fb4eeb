// SPDX-License-Identifier: Apache-2.0
package io.quorate.network;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The properties of the network between two machines, the same in both directions.
 *
 * @param roundTripNanos round trip of a byte, half of it each way
 * @param jitterNanos largest additional time of a round trip, uniformly distributed, half of it
 *     each way
 * @param bitsPerSecond bandwidth of one direction, for all connections together; empty for no limit
 * @param connectionLife average time after which a connection is reset; empty for never
 */
public record Link(
    long roundTripNanos,
    long jitterNanos,
    OptionalLong bitsPerSecond,
    Optional<Duration> connectionLife) {
  /** The link between machines without any delay, like processes of one machine. */
  public static final Link NONE = new Link(0, 0, OptionalLong.empty(), Optional.empty());

  public Link {
    if (roundTripNanos < 0
        || jitterNanos < 0
        || bitsPerSecond.orElse(1) < 1
        || connectionLife.filter(life -> life.isNegative() || life.isZero()).isPresent()) {
      throw new IllegalArgumentException("a link has no negative properties");
    }
  }

  public static Link of(Duration roundTrip) {
    return new Link(roundTrip.toNanos(), 0, OptionalLong.empty(), Optional.empty());
  }

  /** Returns whether this link has no effect, so that it need not be simulated. */
  public boolean isNone() {
    return equals(NONE);
  }

  /** Returns the link in words, such as {@code 1.5 ms, jitter 0.2 ms}. */
  @Override
  public String toString() {
    List<String> parts = new ArrayList<>();
    parts.add(millionth(roundTripNanos) + " ms");
    if (jitterNanos > 0) {
      parts.add("jitter " + millionth(jitterNanos) + " ms");
    }
    bitsPerSecond.ifPresent(bits -> parts.add(millionth(bits) + " Mbit/s"));
    connectionLife.ifPresent(
        life ->
            parts.add(
                "connections reset after " + millionth(life.toMillis() * 1_000) + " s on average"));
    return String.join(", ", parts);
  }

  private static String millionth(long parts) {
    return BigDecimal.valueOf(parts, 6).stripTrailingZeros().toPlainString();
  }
}
