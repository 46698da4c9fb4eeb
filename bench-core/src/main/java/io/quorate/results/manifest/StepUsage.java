package io.quorate.results.manifest;

import java.util.OptionalDouble;

/**
 * The cost to the load generator of the requests of one step, which shows whether the values of the
 * step are those of the servers.
 *
 * @param step its number, from 1
 * @param clients of the step; of an open loop the number of connections
 * @param requests that ended, whether they succeeded or not
 * @param elapsedNanos from just before the first request to just after the last one
 * @param requestNanos how long all these requests took together
 * @param cpuNanos user and system time of the load generator's process, all threads
 * @param machineLoad how busy the CPUs of its machine were, 0 to 1, by whatever
 * @param gcPauseNanos how long garbage collection stopped the process
 * @param longestGcPauseNanos the longest of those pauses
 */
public record StepUsage(
    int step,
    int clients,
    long requests,
    long elapsedNanos,
    long requestNanos,
    long cpuNanos,
    OptionalDouble machineLoad,
    long gcPauseNanos,
    long longestGcPauseNanos) {

  /** Returns the CPU time per request in nanoseconds; for a step with requests. */
  public double cpuNanosPerRequest() {
    return (double) cpuNanos / requests;
  }

  /**
   * Returns the average number of requests in flight, by Little's law: the time of all requests
   * divided by the time that passed. In a closed loop it is the number of clients, as long as each
   * sends its next request at once.
   */
  public double requestsUnderWay() {
    return (double) requestNanos / elapsedNanos;
  }
}
