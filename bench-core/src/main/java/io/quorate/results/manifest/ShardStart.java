// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.manifest;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The time when a shard began a step.
 *
 * @param step number of the step, from 1
 * @param began start by the clock of its machine
 * @param lateMicros delay after the agreed time; empty if no time was agreed
 * @param clock offset of its clock from the clock that all shards share; empty without such a clock
 */
public record ShardStart(
    int step, Instant began, OptionalLong lateMicros, Optional<SharedClock> clock) {

  /**
   * The difference between the clock of a shard's machine and the clock of the shared directory's
   * file times.
   *
   * @param aheadMicros how far the machine was ahead; negative if it was behind
   * @param uncertaintyMicros largest error of this offset
   */
  public record SharedClock(long aheadMicros, long uncertaintyMicros) {}

  /**
   * Returns when it began by the shared clock, or by its machine's clock if the offset is not
   * known.
   */
  public Instant sharedTime() {
    return began.minus(
        Duration.ofNanos(
            clock.map(each -> Math.multiplyExact(each.aheadMicros, 1000L)).orElse(0L)));
  }
}
