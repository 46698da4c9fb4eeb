// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import io.quorate.format.NumberFormats;

/**
 * The watchers of a step. Each of them receives every put: of the load, or before it.
 *
 * @param watchers number of watchers, at least 1
 * @param streams number of streams that they are spread over, at least 1 and at most as many as
 *     watchers
 * @param history number of puts before the load that they receive when it begins; 0 if they watch
 *     puts of the load
 * @param previous whether each event contains the value before the put
 */
public record WatchLoad(
    int watchers,
    int streams,
    int history,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) @JsonSetter(nulls = Nulls.SET) boolean previous) {
  /** Creates watchers whose events contain no previous values. */
  public WatchLoad(int watchers, int streams, int history) {
    this(watchers, streams, history, false);
  }

  public WatchLoad {
    if (streams < 1 || watchers < streams || history < 0) {
      throw new IllegalArgumentException("a watch needs watchers >= streams >= 1, history >= 0");
    }
  }

  public boolean isOfHistory() {
    return history > 0;
  }

  /**
   * Returns the watchers as readable text: {@code 1 watcher}, {@code 100 watchers on 10 streams},
   * {@code 100 watchers on 10 streams of the 8 puts before}.
   */
  @Override
  public String toString() {
    String who = NumberFormats.count(watchers, "watcher");
    who += watchers == 1 ? "" : " on " + NumberFormats.count(streams, "stream");
    who += previous ? " with previous values" : "";
    return isOfHistory() ? who + " of the " + NumberFormats.commas(history) + " puts before" : who;
  }
}
