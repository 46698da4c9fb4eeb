package io.quorate.results.manifest;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * When a shard began a step.
 *
 * @param step from 1
 * @param began by the clock of its machine
 * @param lateMicros how much later than agreed; empty if nothing was agreed
 * @param clock how its clock stood to the one that all shards share; empty if they share none
 */
public record ShardStart(
    int step, Instant began, OptionalLong lateMicros, Optional<SharedClock> clock) {

  /**
   * The difference between the clock of a shard's machine and the clock by which the files of the
   * shared directory get their times.
   *
   * @param aheadMicros by which the machine was ahead; negative if it was behind
   * @param uncertaintyMicros by how much that can be wrong
   */
  public record SharedClock(long aheadMicros, long uncertaintyMicros) {}

  /** Returns when it began by the shared clock, or by its own if that is not known. */
  public Instant sharedTime() {
    return began.minus(
        Duration.ofNanos(
            clock.map(each -> Math.multiplyExact(each.aheadMicros, 1000L)).orElse(0L)));
  }
}
