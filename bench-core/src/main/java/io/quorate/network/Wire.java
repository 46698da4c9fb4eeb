// SPDX-License-Identifier: Apache-2.0
package io.quorate.network;

import java.util.SplittableRandom;
import java.util.function.IntConsumer;

/**
 * One direction of a link, shared by all its connections: computes when sent bytes arrive. For one
 * thread.
 */
final class Wire {
  private static final double NANOS_OF_A_BYTE_AT_ONE_BIT = 8e9;

  private final Link link;
  private final SplittableRandom random;
  private final IntConsumer sent;

  /** Time when the last byte is sent at this bandwidth; not a whole number. */
  private double freeNanos = Double.NEGATIVE_INFINITY;

  Wire(Link link, long seed) {
    this(link, seed, bytes -> {});
  }

  /**
   * @param sent receives the number of all bytes
   */
  Wire(Link link, long seed, IntConsumer sent) {
    this.link = link;
    this.sent = sent;
    this.random = new SplittableRandom(seed);
  }

  Link link() {
    return link;
  }

  /** Returns when the last of these bytes arrives at the other end, by the caller's clock. */
  long arrivalNanos(long nowNanos, int bytes) {
    sent.accept(bytes);
    long end = nowNanos;
    if (link.bitsPerSecond().isPresent()) {
      double start = Math.max(freeNanos, nowNanos);
      freeNanos = start + bytes * NANOS_OF_A_BYTE_AT_ONE_BIT / link.bitsPerSecond().getAsLong();
      end = Math.round(freeNanos);
    }
    return end + (link.roundTripNanos() + jitterNanos()) / 2;
  }

  private long jitterNanos() {
    return link.jitterNanos() == 0 ? 0 : random.nextLong(link.jitterNanos() + 1);
  }

  /** Returns the time after which a new connection is reset; negative for never. */
  long lifeNanos() {
    return link.connectionLife()
        .map(life -> Math.round(-Math.log(1 - random.nextDouble()) * life.toNanos()))
        .orElse(-1L);
  }
}
