package io.quorate.report;

import io.quorate.run.ClientResults.Second;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * The timeline of the clients, with exactly one entry for every second from the first to the last.
 *
 * @param seconds in order, at least one
 */
record ClientTimeline(List<ClientSecond> seconds) {
  ClientTimeline {
    seconds = List.copyOf(seconds);
  }

  /**
   * Merges rows of the same second and fills in those that are missing.
   *
   * @param rows in order, at least one
   */
  static ClientTimeline of(List<Second> rows, Rules rules) {
    TreeMap<Long, ClientSecond> merged = new TreeMap<>();
    for (Second row : rows) {
      merged.merge(
          row.unixSecond(),
          ClientSecond.of(row, rules),
          (before, later) -> before.and(later, rules));
    }
    List<ClientSecond> seconds = new ArrayList<>();
    for (long second = merged.firstKey(); second <= merged.lastKey(); second++) {
      ClientSecond known = merged.get(second);
      seconds.add(
          known != null
              ? known
              : ClientSecond.pause(second, merged.lowerEntry(second).getValue().clients(), rules));
    }
    return new ClientTimeline(seconds);
  }

  int size() {
    return seconds.size();
  }

  ClientSecond at(int index) {
    return seconds.get(index);
  }

  long first() {
    return seconds.get(0).unixSecond();
  }

  long last() {
    return seconds.get(seconds.size() - 1).unixSecond();
  }

  /** Returns the successes by second. */
  long[] throughputs() {
    return seconds.stream().mapToLong(ClientSecond::count).toArray();
  }
}
