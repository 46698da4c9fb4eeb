// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.capacity;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * The activity of the servers while a trial was measured, as far as it is known.
 *
 * @param diskBusy utilization of the disk of the members, 0 to 1
 * @param networkBusy utilization of the busiest network interface between the load generator and
 *     the members, 0 to 1
 * @param waitsMillis 99th percentiles of the members' waits, the largest of all members, by the
 *     cause of the wait; causes that they do not report are missing
 * @param stalls snapshots that members started since the beginning of the trial
 */
public record ServerActivity(
    OptionalDouble busiestCores,
    OptionalDouble diskBusy,
    OptionalDouble networkBusy,
    Map<String, Double> waitsMillis,
    @JsonProperty("standstills") OptionalInt stalls) {}
