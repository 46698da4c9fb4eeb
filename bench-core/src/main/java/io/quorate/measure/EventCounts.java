package io.quorate.measure;

/**
 * The events of the watchers of a step. Each put that was acknowledged is one expected event for
 * each watcher, which was delivered, coalesced or lost.
 *
 * @param expected acknowledged puts times watchers
 * @param delivered how many of them came
 * @param coalesced how many did not come to a watcher that was notified of a later state of the
 *     same key, by a store that reports the latest state only
 * @param lost how many did not come until it was no longer waited for them
 * @param duplicated how many came again; not counted as delivered
 * @param reordered how many came after an event that the store had made later
 * @param early how many came before the put was acknowledged
 * @param interruptions how often a watch was cut
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
