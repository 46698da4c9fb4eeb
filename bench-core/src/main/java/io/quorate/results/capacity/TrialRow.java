package io.quorate.results.capacity;

import io.quorate.capacity.Trial;
import io.quorate.capacity.TrialVerdict;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * One trial of a capacity search, as {@code trials.jsonl} has it. Values are those of the measured
 * seconds, but failed and shed requests those of settling too.
 *
 * @param number from 1
 * @param load requests per second, or clients
 * @param wholeSeconds from before the store was made ready for it until nothing was in flight any
 *     more
 * @param measuredSeconds 0 if it was cut short before
 * @param verdict of all limits together
 * @param remark why it was cut short, or what spoiled it
 * @param usedPart the largest violating part, as a part of what a limit allows; empty if a request
 *     violated a limit that allows none
 * @param violatingPart the largest part of the intended requests that violated a limit
 * @param intendedPerSecond that were due
 * @param succeededPerSecond of those that were due in these seconds
 * @param lagP99Nanos by which 99% of the requests were sent late at most
 * @param serverCores CPUs that the members on this machine used; empty if they are elsewhere
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
    long shed,
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
        shed,
        lagP99Nanos,
        loadGeneratorCores,
        serverCores,
        machineBusy,
        servers,
        OptionalInt.empty());
  }

  /** Returns whether it reports nothing of the servers. */
  public boolean isSpoiled() {
    return verdict == TrialVerdict.SPOILED;
  }
}
