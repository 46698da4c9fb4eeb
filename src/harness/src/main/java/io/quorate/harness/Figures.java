package io.quorate.harness;

/**
 * The results and the cost of one contender.
 *
 * @param requestsPerSecond successes over the time of the measured requests
 * @param cpuMicrosPerRequest user and system time of the contender's whole process
 * @param medianMillis of the latencies
 */
record Figures(double requestsPerSecond, double cpuMicrosPerRequest, double medianMillis) {}
