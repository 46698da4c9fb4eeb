package io.quorate.results;

import io.quorate.results.requests.ClientResults;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * One report of etcd's {@code tools/benchmark}. What its text does not say is empty, and nothing is
 * derived from the rest.
 *
 * @param part {@code read} or {@code write}, of a mixed benchmark
 * @param totalSeconds wall time of all requests
 * @param requestsPerSecond successes by that time
 * @param latency of the successes; a figure of 0 is one that its four decimals cannot show: NaN, or
 *     a percentile that is left out
 * @param successes by the histogram
 * @param requests that were asked for, by the progress bar or the tool's own heading
 * @param errors by message, in the order of the text; empty if there is no list of them
 */
public record EtcdBenchmarkReport(
    Optional<String> part,
    OptionalDouble totalSeconds,
    OptionalDouble requestsPerSecond,
    Optional<ClientResults.Latency> latency,
    OptionalLong successes,
    OptionalLong requests,
    Optional<List<ClientResults.ErrorCount>> errors) {}
