package io.quorate.results.requests;

import io.quorate.measure.EventCounts;

/**
 * The events that the watchers of one step received, from {@code watch.csv}.
 *
 * @param step from 1
 * @param watchers how many there were
 * @param streams over how many streams they were spread
 * @param createdNanos how long it took until all watches were in place
 * @param counts of the events
 * @param drainNanos how long it was waited for events after the last put had ended
 */
public record WatchRow(
    int step, int watchers, int streams, long createdNanos, EventCounts counts, long drainNanos) {}
