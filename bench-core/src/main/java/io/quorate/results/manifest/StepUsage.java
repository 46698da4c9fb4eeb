// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.manifest;

import io.quorate.measure.GeneratorDelay;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The cost of one step's requests to the load generator. It shows whether the load generator
 * limited the results of the step.
 *
 * @param step number of the step, from 1
 * @param clients number of clients of the step; for an open loop the number of connections
 * @param requests number of requests that ended, whether they succeeded or not
 * @param elapsedNanos time from just before the first request to just after the last one
 * @param requestNanos how long all these requests took together
 * @param cpuNanos user and system time of the load generator's process, all threads
 * @param machineLoad utilization of its machine's CPUs by all processes, 0 to 1
 * @param gcPauseNanos how long garbage collection stopped the process
 * @param longestGcPauseNanos the longest of these pauses
 * @param compileNanos how long the JVM compiled code; empty in older runs
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
    long longestGcPauseNanos,
    OptionalLong compileNanos) {

  /** Returns whether the JVM's compiler used enough of a CPU to distort latencies. */
  public boolean isCold() {
    return GeneratorDelay.isCompiling(compileNanos.orElse(0), elapsedNanos);
  }

  /** Returns the CPU time per request in nanoseconds; for a step with requests. */
  public double cpuNanosPerRequest() {
    return (double) cpuNanos / requests;
  }

  /**
   * Returns the average number of requests in flight, by Little's law: the total time of all
   * requests divided by the elapsed time. In a closed loop it equals the number of clients if each
   * sends its next request at once.
   */
  public double requestsUnderWay() {
    return (double) requestNanos / elapsedNanos;
  }
}
