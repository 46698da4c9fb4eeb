package io.quorate.report.verdict;

import io.quorate.run.NumberFormats;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The results of one database in a run that came to its end, as far as they were measured.
 *
 * @param name by which sentences call it
 * @param requests that were asked for
 * @param successes of them
 * @param errors of them
 * @param requestsPerSecond successes by the measured time
 * @param serverCpuPercent highest mean over the servers; 100 is one core
 * @param serverMemoryBytes highest mean over the servers
 * @param serverDiskBytes mean over the servers, after the run
 * @param clientCpuPercent highest of the load generator; 100 is one core
 * @param slowestMs the longest latency
 * @param stall the longest time of a second or more in which no request succeeded
 * @param steps by their load, ascending
 * @param operations each by itself; none if there is one only
 * @param open whether requests were sent at a rate, so that latencies are response times
 */
public record Standing(
    String name,
    long requests,
    long successes,
    long errors,
    OptionalDouble requestsPerSecond,
    OptionalDouble p50Ms,
    OptionalDouble p99Ms,
    OptionalDouble serverCpuPercent,
    OptionalDouble serverMemoryBytes,
    OptionalDouble serverDiskBytes,
    OptionalDouble clientCpuPercent,
    OptionalDouble slowestMs,
    Optional<Stall> stall,
    List<OfLoad> steps,
    List<OfOperation> operations,
    boolean open) {
  public Standing {
    steps = List.copyOf(steps);
    operations = List.copyOf(operations);
  }

  /**
   * Its result with so much load.
   *
   * @param load the number of clients or, in an open loop, the requests per second that were
   *     offered
   */
  public record OfLoad(
      long load,
      long successes,
      OptionalDouble requestsPerSecond,
      OptionalDouble p50Ms,
      OptionalDouble p99Ms) {}

  /** Its result of one of several operations. */
  public record OfOperation(
      String name, long successes, OptionalDouble p50Ms, OptionalDouble p99Ms) {}

  /** Returns its result with so much load, if there was such a step. */
  Optional<OfLoad> with(long load) {
    return steps.stream().filter(step -> step.load() == load).findFirst();
  }

  /** Returns its result of the operation of this name. */
  Optional<OfOperation> of(String operation) {
    return operations.stream().filter(each -> each.name().equals(operation)).findFirst();
  }

  /** Returns the part of the requests that failed: {@code 0.80 %}. */
  String failedPart() {
    double percent = 100.0 * errors / (successes + errors);
    return percent < 0.01 ? "less than 0.01 %" : NumberFormats.fixed(percent, 2) + " %";
  }

  /** Returns the name, with a remark if some requests failed. */
  String praised() {
    return errors == 0
        ? name
        : "%s (though %s of its requests failed)".formatted(name, failedPart());
  }
}
