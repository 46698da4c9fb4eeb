package io.quorate.measure;

import org.HdrHistogram.Histogram;

/**
 * The events that the watchers of one step received, up to now or to its end. Times of events run
 * from when the put was due, as those of its request, to when the watcher had the event.
 *
 * @param watchers how many there were
 * @param streams over how many streams they were spread
 * @param createdNanos how long it took until all watches were in place
 * @param counts of the events
 * @param drainNanos how long it was waited for events after the last put had ended
 * @param first of each put, until the first of its watchers had the event
 * @param median of each put, until half of its watchers had it
 * @param last of each put, until all its watchers had it
 */
public record WatchMeasurement(
    int watchers,
    int streams,
    long createdNanos,
    EventCounts counts,
    long drainNanos,
    Histogram first,
    Histogram median,
    Histogram last) {}
