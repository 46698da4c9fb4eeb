// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.capacity;

import com.fasterxml.jackson.annotation.JsonAlias;
import io.quorate.capacity.Trial;
import io.quorate.capacity.TrialVerdict;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * One trial of a capacity search, as recorded in {@code trials.jsonl}. Values cover the measured
 * seconds; failed and dropped requests include the settling time.
 *
 * @param number number of the trial, from 1
 * @param load requests per second, or clients
 * @param wholeSeconds time from the preparation of the store to the end of the last request
 * @param measuredSeconds measured time; 0 if the trial was stopped before
 * @param remark why the trial was stopped, or what spoiled it
 * @param usedPart the largest ratio of violating to allowed requests of a limit; empty if a request
 *     violated a limit that allows none
 * @param violatingPart the largest part of the intended requests that violated a limit
 * @param succeededPerSecond successful requests per second, of those due in these seconds
 * @param serverCores CPUs that the members on this machine used; empty if they are on other
 *     machines
 * @param machineBusy utilization of this machine, 0 to 1; empty if unknown
 * @param step number of its step in the directory {@code trials}; empty if an earlier run made it
 */
public record TrialRow(
    int number,
    Trial.Stage stage,
    long load,
    double wholeSeconds,
    int measuredSeconds,
    TrialVerdict verdict,
    Optional<String> remark,
    OptionalDouble usedPart,
    double violatingPart,
    double intendedPerSecond,
    double succeededPerSecond,
    TrialLatencies latencies,
    long failed,
    @JsonAlias("shed") long dropped,
    OptionalLong lagP99Nanos,
    double loadGeneratorCores,
    OptionalDouble serverCores,
    OptionalDouble machineBusy,
    ServerActivity servers,
    OptionalInt step) {
  /** Returns the same trial for a search that continues in another run. */
  public TrialRow ofEarlierRun() {
    return new TrialRow(
        number,
        stage,
        load,
        wholeSeconds,
        measuredSeconds,
        verdict,
        remark,
        usedPart,
        violatingPart,
        intendedPerSecond,
        succeededPerSecond,
        latencies,
        failed,
        dropped,
        lagP99Nanos,
        loadGeneratorCores,
        serverCores,
        machineBusy,
        servers,
        OptionalInt.empty());
  }

  /** Returns whether it shows nothing about the servers. */
  public boolean isSpoiled() {
    return verdict == TrialVerdict.SPOILED;
  }
}
