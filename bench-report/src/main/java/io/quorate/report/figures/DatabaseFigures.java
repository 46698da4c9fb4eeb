// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import io.quorate.format.Unreadable;
import io.quorate.report.figures.outage.FaultFigures;
import io.quorate.report.figures.outage.Outage;
import io.quorate.report.figures.outage.OutageStatement;
import io.quorate.results.DatabaseRun;
import io.quorate.results.manifest.RunStatus;
import io.quorate.results.requests.ClientFiles;
import io.quorate.results.requests.ClientResults;
import io.quorate.results.requests.ErrorRow;
import io.quorate.scenario.Metric;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The values of a database of a run: of all steps, of each step, and of each operation.
 *
 * @param steps all planned steps, in their order
 * @param requests requests of all steps and operations
 * @param operations requests of each operation of the mix, over all steps
 * @param byLoad requests by load, with the sum of steps with the same load
 * @param range throughput of single seconds; empty if nothing was measured
 * @param host values of the machines; empty if the database is not in the table
 * @param total column of the table; empty if the database is not in it
 * @param faults faults and what was observed of them; empty if there were none
 * @param soak what changed during a long run; empty for other runs
 * @param locks locks of each step that took some
 * @param expirations sessions of each step that abandoned some
 * @param costs what a request cost the servers, in the units of the metrics; empty if unknown
 * @param costsOfSteps the same of each step, by its number
 * @param others CPU that other processes used
 * @param disturbance why its results say nothing about the database, without a full stop; empty if
 *     they do
 * @param errors kinds of errors, the most frequent first
 * @param limits limits of the scenario, in its order; while it runs, those with a value so far
 * @param capacities outcomes of its capacity searches
 * @param outages what its faults showed; empty if there were none
 */
public record DatabaseFigures(
    DatabaseRun run,
    List<StepFigures> steps,
    RequestFigures requests,
    List<RequestFigures> operations,
    SortedMap<Long, RequestFigures> byLoad,
    Optional<ThroughputRange> range,
    Optional<HostAnalysis> host,
    Optional<TotalFigures> total,
    Optional<FaultFigures> faults,
    List<SoakTrend> soak,
    List<LockFigures> locks,
    List<ExpirationFigures> expirations,
    Map<Metric, Double> costs,
    Map<Integer, Map<Metric, Double>> costsOfSteps,
    ForeignCpu others,
    Optional<String> disturbance,
    List<ErrorSummary> errors,
    List<LimitResult> limits,
    List<CapacityStatement> capacities,
    Optional<OutageStatement> outages) {
  /** Returns the step with the most watchers; empty if there were none. */
  public Optional<StepFigures> mostWatched() {
    return steps.stream()
        .filter(each -> each.watch().isPresent())
        .max(Comparator.comparingInt(each -> each.asked().watch().orElseThrow().watchers()));
  }

  /** Returns whether it broke a guarantee. */
  public boolean violated() {
    return outages.filter(OutageStatement::violated).isPresent();
  }

  public List<StepFigures> steps(long load) {
    return steps(steps, load);
  }

  private static List<StepFigures> steps(List<StepFigures> all, long load) {
    return all.stream().filter(step -> step.load() == load).toList();
  }

  /** Returns all injections of its faults. */
  public List<Outage> injections() {
    return faults.map(FaultFigures::outages).orElse(List.of());
  }

  /** Returns which watchers some latencies are about, if not all steps have equally many. */
  public static String watchers(List<DatabaseFigures> databases) {
    return databases.stream()
        .filter(each -> each.steps.stream().filter(step -> step.watch().isPresent()).count() > 1)
        .flatMap(each -> each.mostWatched().stream())
        .findFirst()
        .map(step -> ", " + step.atLoad())
        .orElse("");
  }

  public static DatabaseFigures of(DatabaseRun run) {
    ForeignCpu others = ForeignCpu.of(run);
    List<StepFigures> steps = StepFigures.of(run, others);
    OptionalDouble seconds =
        run.clients().stream().mapToDouble(ClientResults::totalSeconds).findFirst();
    RequestFigures requests =
        RequestFigures.of(run, any -> true, Optional.empty(), seconds, others);
    List<RequestFigures> operations = RequestFigures.operations(run, any -> true, requests, others);
    Optional<String> disturbance = disturbance(run, others);
    SortedMap<Long, RequestFigures> byLoad = new TreeMap<>();
    steps.stream()
        .filter(step -> !step.seconds().isEmpty())
        .forEach(
            step -> byLoad.computeIfAbsent(step.load(), load -> ofLoad(run, steps, load, others)));
    Optional<ThroughputRange> range =
        run.clients()
            .map(
                results ->
                    new ThroughputRange(
                        steps,
                        results.requestsPerSecond().orElse(Double.NaN),
                        results.totalSeconds()));
    Optional<HostAnalysis> host =
        run.clients()
            .filter(any -> run.manifest().status().isMeasured())
            .map(any -> HostAnalysis.of(run, steps));
    Optional<FaultFigures> faults = FaultFigures.of(run);
    return new DatabaseFigures(
        run,
        steps,
        requests,
        operations,
        byLoad,
        range,
        host,
        host.map(
            known ->
                TotalFigures.of(
                    run,
                    run.clients().orElseThrow(),
                    requests,
                    range.orElseThrow(),
                    known.figures())),
        faults,
        host.filter(any -> faults.isEmpty() && run.journals().faults().isEmpty())
            .flatMap(HostAnalysis::clients)
            .map(clients -> SoakTrend.of(run, clients))
            .orElse(List.of()),
        LockFigures.of(run, steps),
        ExpirationFigures.of(run, steps),
        host.map(known -> RunCosts.of(run, requests, steps, known)).orElse(Map.of()),
        host.map(known -> RunCosts.ofSteps(run, steps, known)).orElse(Map.of()),
        others,
        disturbance,
        run.clients().map(ErrorSummary::all).orElse(List.of()),
        limits(run, steps, requests, operations, disturbance),
        CapacityStatement.all(run, disturbance),
        faults.map(each -> OutageStatement.of(run.manifest(), each, disturbance.isPresent())));
  }

  /** Returns the mean CPU of a server in the steps of a load; 100 is one core. */
  public OptionalDouble serverCpuPercent(long load) {
    return host.map(known -> known.serverCpuPercent(number -> steps.get(number - 1).load() == load))
        .orElse(OptionalDouble.empty());
  }

  private static List<LimitResult> limits(
      DatabaseRun run,
      List<StepFigures> steps,
      RequestFigures requests,
      List<RequestFigures> operations,
      Optional<String> disturbance) {
    boolean measured = run.manifest().status().isMeasured() && run.clients().isPresent();
    return run.manifest().scenario().limits().stream()
        .map(
            limit -> {
              if (!measured) {
                return LimitResult.missing(limit);
              }
              Optional<StepFigures> step =
                  limit.step().stream().mapToObj(number -> steps.get(number - 1)).findFirst();
              RequestFigures all = step.map(StepFigures::requests).orElse(requests);
              List<RequestFigures> each = step.map(StepFigures::operations).orElse(operations);
              return LimitResult.of(
                  limit,
                  limit.operation().map(it -> RequestFigures.of(it, each)).orElse(all),
                  step.map(List::of).orElse(steps),
                  run.manifest().store().runsInLoadGenerator(),
                  disturbance);
            })
        .filter(result -> !(result.isMissing() && run.manifest().isRunning()))
        .toList();
  }

  private static RequestFigures ofLoad(
      DatabaseRun run, List<StepFigures> steps, long load, ForeignCpu others) {
    List<StepFigures> same = steps(steps, load);
    if (same.size() == 1) {
      return same.get(0).requests();
    }
    double seconds = same.stream().mapToDouble(step -> step.durationSeconds().orElse(0)).sum();
    return RequestFigures.of(
        run,
        number -> same.stream().anyMatch(step -> step.number() == number),
        Optional.empty(),
        OptionalDouble.of(seconds),
        others);
  }

  /** Returns the name of the store, with the version that was asked for: {@code etcd 3.5.35}. */
  public String name() {
    return VisibleText.of(run.manifest().store().name());
  }

  private static Optional<String> disturbance(DatabaseRun run, ForeignCpu others) {
    String name = VisibleText.of(run.manifest().store().name());
    return others
        .tooMuch()
        .map(cpu -> "%s while %s was measured".formatted(cpu, name))
        .or(
            () ->
                RequestFigures.mostlyDelay(run).stream()
                    .mapToObj(
                        delay ->
                            "the load generator's delay is %s the median latency of %s"
                                .formatted(
                                    delay < 1
                                        ? NumberFormats.fixed(100 * delay, 0) + "% of"
                                        : "as long as",
                                    name))
                    .findFirst());
  }

  public boolean isComplete() {
    return run.manifest().status() == RunStatus.COMPLETE;
  }

  /** Returns which files hide the results of its requests, a line without a full stop for each. */
  public List<String> unreadableRequests() {
    return run.unreadable().stream()
        .filter(each -> each.consequence().equals(ClientFiles.WITHOUT_REQUESTS))
        .map(Unreadable::text)
        .toList();
  }

  public List<LimitResult> brokenLimits() {
    return limits().stream().filter(limit -> !limit.isKept() && !limit.isUndecided()).toList();
  }

  public List<LimitResult> undecidedLimits() {
    return limits().stream().filter(LimitResult::isUndecided).toList();
  }

  /**
   * The number of requests of a database that failed in one way.
   *
   * @param kind kind of the error; empty if only the message is known
   * @param message unchanged message
   * @param totalMs total time of these requests; NaN if not known
   */
  public record ErrorSummary(Optional<String> kind, String message, long count, double totalMs) {
    private static final double NANOS_PER_MS = 1e6;

    private static List<ErrorSummary> all(ClientResults results) {
      if (results.errorRows().isEmpty()) {
        return results.errors().stream()
            .map(
                error ->
                    new ErrorSummary(
                        Optional.empty(), error.quotedMessage(), error.count(), Double.NaN))
            .toList();
      }
      Map<List<String>, ErrorSummary> all = new LinkedHashMap<>();
      for (ErrorRow row : results.errorRows()) {
        all.merge(
            List.of(row.kind(), row.message()),
            new ErrorSummary(
                Optional.of(row.kind()),
                row.message(),
                row.count(),
                row.totalNanos() / NANOS_PER_MS),
            ErrorSummary::plus);
      }
      return all.values().stream()
          .sorted(Comparator.comparingLong(ErrorSummary::count).reversed())
          .toList();
    }

    private ErrorSummary plus(ErrorSummary other) {
      return new ErrorSummary(kind, message, count + other.count, totalMs + other.totalMs);
    }
  }
}
