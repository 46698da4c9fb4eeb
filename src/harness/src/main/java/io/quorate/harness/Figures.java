// SPDX-License-Identifier: Apache-2.0
package io.quorate.harness;

/**
 * The results and the cost of one contender.
 *
 * @param requestsPerSecond successes divided by the time of the measured requests
 * @param cpuMicrosPerRequest user and system time of the contender's whole process
 * @param medianMillis median of the latencies
 */
record Figures(double requestsPerSecond, double cpuMicrosPerRequest, double medianMillis) {}
