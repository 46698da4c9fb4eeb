package io.quorate.report.findings;

import io.quorate.format.NumberFormats;
import io.quorate.report.figures.Basis;
import io.quorate.report.figures.ClientNumberFigures;
import io.quorate.report.figures.DatabaseResult;
import io.quorate.report.figures.HostFigure;
import io.quorate.report.figures.OperationTotals;
import io.quorate.report.figures.StepFigures;
import io.quorate.results.DatabaseRun;
import io.quorate.results.latency.Percentile;
import io.quorate.results.requests.ClientResults;
import io.quorate.scenario.LoadModel;
import io.quorate.scenario.Step;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

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
 * @param watched the events of its watchers; empty if it had none
 * @param basis of throughput and latencies
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
    boolean open,
    Optional<WatchedEvents> watched,
    Basis basis) {
  public Standing {
    steps = List.copyOf(steps);
    operations = List.copyOf(operations);
  }

  /**
   * Returns the results of a database whose run came to its end.
   *
   * @param name by which sentences call it
   */
  public static Standing of(DatabaseRun run, String name, DatabaseResult result) {
    long successes = run.clients().map(ClientResults::successCount).orElse(0L);
    List<StepFigures> steps = StepFigures.of(run);
    return new Standing(
        name,
        result.requests().orElse(successes),
        successes,
        result.errorCount(),
        result.requestsPerSecond(),
        number(result.percentileMs(Percentile.P50)),
        number(result.percentileMs(Percentile.P99)),
        number(result.host(HostFigure.SERVER_MAX_CPU_PERCENT)),
        number(result.host(HostFigure.SERVER_MAX_MEMORY_BYTES)),
        number(result.host(HostFigure.SERVER_DISK_BYTES)),
        number(result.host(HostFigure.CLIENT_MAX_CPU_PERCENT)),
        number(result.latency().map(ClientResults.Latency::slowestMs)),
        LongestStall.of(steps, run.events()),
        loads(run, new ClientNumberFigures(steps), lateRates(run)),
        OperationTotals.of(run).stream()
            .map(
                each ->
                    new OfOperation(
                        each.operation(),
                        each.successes(),
                        each.p50Ms(),
                        each.p99Ms(),
                        each.basis()))
            .toList(),
        run.manifest().load().steps().stream().anyMatch(Step::isOpen),
        WatchedEvents.of(run),
        result.basis());
  }

  /** Returns the rates at which the load generator sent requests late. */
  private static Set<Long> lateRates(DatabaseRun run) {
    List<Step> steps = run.manifest().load().steps();
    Set<Long> rates = new HashSet<>();
    for (int i = 0; i < steps.size(); i++) {
      if (steps.get(i).model() instanceof LoadModel.Open open
          && SendingLag.of(run, i + 1).isLate()) {
        rates.add(open.ratePerSecond());
      }
    }
    return rates;
  }

  private static List<OfLoad> loads(DatabaseRun run, ClientNumberFigures figures, Set<Long> late) {
    return figures.clientNumbers().stream()
        .map(
            load ->
                new OfLoad(
                    load,
                    figures.successes(load),
                    some(figures.requestsPerSecond(load)),
                    figures.percentileMs(load, Percentile.P50),
                    figures.percentileMs(load, Percentile.P99),
                    late.contains(load),
                    Basis.ofSteps(run, step -> ClientNumberFigures.load(step) == load)))
        .toList();
  }

  private static OptionalDouble some(double value) {
    return Double.isNaN(value) ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  private static OptionalDouble number(Optional<Double> value) {
    return value.map(OptionalDouble::of).orElseGet(OptionalDouble::empty);
  }

  /**
   * Its result with one load.
   *
   * @param load the number of clients or, in an open loop, the requests per second that were
   *     offered
   * @param late whether the load generator sent requests late, so that a rate that was not reached
   *     tells nothing about the store
   * @param basis of its latencies
   */
  public record OfLoad(
      long load,
      long successes,
      OptionalDouble requestsPerSecond,
      OptionalDouble p50Ms,
      OptionalDouble p99Ms,
      boolean late,
      Basis basis) {}

  /** Its result of one of several operations. */
  public record OfOperation(
      String name, long successes, OptionalDouble p50Ms, OptionalDouble p99Ms, Basis basis) {}

  /** Returns its result with this load, if there was such a step. */
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

  /** Returns the name, with a remark if some requests failed or were dropped. */
  String praised() {
    String failed = errors == 0 ? "" : failedPart() + " of its requests failed";
    String dropped =
        basis.dropped() == 0
            ? ""
            : "%s of %s were dropped"
                .formatted(Prose.count(basis.dropped()), Prose.count(basis.intended()));
    String and = failed.isEmpty() || dropped.isEmpty() ? "" : ", and ";
    return basis.isComplete() && errors == 0
        ? name
        : "%s (though %s%s%s)".formatted(name, failed, and, dropped);
  }
}
