// SPDX-License-Identifier: Apache-2.0
package io.quorate.measure;

/**
 * The events of the watchers of a step. Each acknowledged put is one expected event for each
 * watcher. The event was delivered, coalesced or lost.
 *
 * @param expected number of acknowledged puts times watchers
 * @param delivered number of events that arrived
 * @param coalesced number of events that a store which only reports the latest state replaced by a
 *     later event of the same key
 * @param lost number of events that did not arrive within the time limit
 * @param duplicated number of repeated events; not counted as delivered
 * @param reordered number of events that arrived after a later event
 * @param early number of events that arrived before the put was acknowledged
 */
public record EventCounts(
    long expected,
    long delivered,
    long coalesced,
    long lost,
    long duplicated,
    long reordered,
    long early,
    long interruptions) {
  public EventCounts {
    if (expected != delivered + coalesced + lost) {
      throw new IllegalArgumentException(
          "%d events are not %d + %d + %d".formatted(expected, delivered, coalesced, lost));
    }
  }

  public EventCounts plus(EventCounts other) {
    return new EventCounts(
        expected + other.expected,
        delivered + other.delivered,
        coalesced + other.coalesced,
        lost + other.lost,
        duplicated + other.duplicated,
        reordered + other.reordered,
        early + other.early,
        interruptions + other.interruptions);
  }
}
