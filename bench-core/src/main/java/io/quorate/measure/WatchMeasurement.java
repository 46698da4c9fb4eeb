// SPDX-License-Identifier: Apache-2.0
package io.quorate.measure;

import org.HdrHistogram.Histogram;

/**
 * The events that the watchers of one step received, up to now or to its end. The time of an event
 * runs from the scheduled send time of the put, like its response time, until the watcher receives
 * the event.
 *
 * @param streams number of streams that they were spread over
 * @param createdNanos how long it took until all watches were in place
 * @param drainNanos how long the step waited for events after the last put had ended
 * @param first for each put, the time until the first of its watchers received the event
 * @param median for each put, the time until half of its watchers received it
 * @param last for each put, the time until all its watchers received it
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
