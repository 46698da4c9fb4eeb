// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import io.quorate.format.NumberFormats;
import java.time.Duration;
import java.util.Optional;

/**
 * The watchers of a step. Each of them receives every put: of the load, or before it.
 *
 * @param watchers number of watchers, at least 1
 * @param streams number of streams that they are spread over, at least 1 and at most as many as
 *     watchers
 * @param history number of puts before the load that they receive when it begins; 0 if they watch
 *     puts of the load
 * @param previous whether each event contains the value before the put
 * @param progress whether watches without events report from time to time how far they are
 * @param progressMillis time between two requests of progress of each stream; 0 for none
 * @param restartMillis time after which each watch is ended and started again, from the change
 *     after the last reported one; 0 for never
 * @param slowMillis time between two messages that every tenth stream takes; 0 for no slow streams
 */
public record WatchLoad(
    int watchers,
    int streams,
    int history,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) @JsonSetter(nulls = Nulls.SET) boolean previous,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) @JsonSetter(nulls = Nulls.SET) boolean progress,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) @JsonSetter(nulls = Nulls.SET)
        long progressMillis,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) @JsonSetter(nulls = Nulls.SET) long restartMillis,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) @JsonSetter(nulls = Nulls.SET) long slowMillis) {
  /** Every tenth stream is slow. */
  public static final int SLOW_OF = 10;

  /** Creates watchers whose events contain no previous values. */
  public WatchLoad(int watchers, int streams, int history) {
    this(watchers, streams, history, false, false, 0, 0, 0);
  }

  public WatchLoad {
    if (streams < 1 || watchers < streams || history < 0) {
      throw new IllegalArgumentException("a watch needs watchers >= streams >= 1, history >= 0");
    }
  }

  public boolean isOfHistory() {
    return history > 0;
  }

  public Optional<Duration> progressEvery() {
    return progressMillis > 0 ? Optional.of(Duration.ofMillis(progressMillis)) : Optional.empty();
  }

  public Optional<Duration> restartEvery() {
    return restartMillis > 0 ? Optional.of(Duration.ofMillis(restartMillis)) : Optional.empty();
  }

  /** Returns the time between two messages that the stream of a watcher takes; 0 for none. */
  public long pauseMillis(int watcher) {
    return watcher % streams % SLOW_OF == SLOW_OF - 1 ? slowMillis : 0;
  }

  /** Returns whether stores have to report previous values or progress, or go on in the past. */
  public boolean isDetailed() {
    return previous || progress || progressMillis > 0 || restartMillis > 0 || slowMillis > 0;
  }

  private static String exactly(Duration time) {
    long millis = time.toMillis();
    return millis % 1_000 == 0
        ? NumberFormats.commas(millis / 1_000) + " s"
        : NumberFormats.commas(millis) + " ms";
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
    who += progressEvery().map(every -> ", progress every " + exactly(every)).orElse("");
    who += restartEvery().map(every -> ", restarted every " + exactly(every)).orElse("");
    who +=
        slowMillis > 0
            ? ", every tenth stream takes a message every " + exactly(Duration.ofMillis(slowMillis))
            : "";
    return isOfHistory() ? who + " of the " + NumberFormats.commas(history) + " puts before" : who;
  }
}
