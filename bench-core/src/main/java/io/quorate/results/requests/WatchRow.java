// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.requests;

import io.quorate.format.CsvFile;
import io.quorate.measure.EventCounts;
import io.quorate.measure.WatchMeasurement;

/**
 * The events that the watchers of one step received: a row of {@code watch.csv}, written when the
 * step has ended.
 *
 * @param step number of the step, from 1
 * @param streams number of streams that they were spread over
 * @param createdNanos how long it took until all watches were in place
 * @param drainNanos how long the step waited for events after the last put had ended
 */
public record WatchRow(
    int step, int watchers, int streams, long createdNanos, EventCounts counts, long drainNanos) {
  public static final CsvFile<WatchRow> FILE = new CsvFile<>("watch.csv", WatchRow.class);

  static WatchRow of(int step, WatchMeasurement measured) {
    return new WatchRow(
        step,
        measured.watchers(),
        measured.streams(),
        measured.createdNanos(),
        measured.counts(),
        measured.drainNanos());
  }
}
