package io.quorate.report.verdict;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Results of databases for verdicts. */
final class MeasuredDatabases {
  private MeasuredDatabases() {}

  /** Returns the results of a database with one operation in a closed loop. */
  static Standing of(
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
      List<Standing.OfLoad> steps) {
    return new Standing(
        name,
        requests,
        successes,
        errors,
        requestsPerSecond,
        p50Ms,
        p99Ms,
        serverCpuPercent,
        serverMemoryBytes,
        serverDiskBytes,
        clientCpuPercent,
        slowestMs,
        stall,
        steps,
        List.of(),
        false,
        Optional.empty());
  }

  /** Returns the results of a database of which neither single requests nor steps are known. */
  static Standing of(
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
      OptionalDouble clientCpuPercent) {
    return of(
        name,
        requests,
        successes,
        errors,
        requestsPerSecond,
        p50Ms,
        p99Ms,
        serverCpuPercent,
        serverMemoryBytes,
        serverDiskBytes,
        clientCpuPercent,
        OptionalDouble.empty(),
        Optional.empty(),
        List.of());
  }
}
