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
 * @param roundTripNanos what a byte takes there and another one back, half of it each way
 * @param jitterNanos most that a round trip takes longer, evenly distributed, half of it each way
 * @param bitsPerSecond most that passes in one direction over all connections together; empty for
 *     as much as there is
 * @param connectionLife average time after which a connection is reset; empty for never
 */
public record Link(
    long roundTripNanos,
    long jitterNanos,
    OptionalLong bitsPerSecond,
    Optional<Duration> connectionLife) {
  /** The link of machines that are as near to each other as processes of one machine. */
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

  /** Returns whether nothing is between these machines, so that nothing has to be put there. */
  public boolean isNone() {
    return equals(NONE);
  }

  /** Returns this in words, such as {@code 1.5 ms, jitter 0.2 ms}. */
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
