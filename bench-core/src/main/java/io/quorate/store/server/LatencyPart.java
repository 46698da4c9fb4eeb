// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.server;

/**
 * A part of the latency of a write that members report.
 *
 * @param name name as readable text, such as {@code fsync of the log}
 * @param mean mean in milliseconds
 */
public record LatencyPart(Kind kind, String name, MetricSource.Mean mean) {
  /** What a write waits for. */
  public enum Kind {
    /** A write of a member's log. */
    LOG,

    /** A commit to a member's database, which is not on the way of a request. */
    COMMIT,

    /** The way to another member and back. */
    ROUND_TRIP,

    /** The time until a follower acknowledges, which contains the write of its log. */
    ACKNOWLEDGMENT
  }
}
