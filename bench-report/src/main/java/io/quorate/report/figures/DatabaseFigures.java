package io.quorate.report.figures;

import io.quorate.VisibleText;
import io.quorate.results.DatabaseRun;
import io.quorate.results.manifest.RunStatus;
import io.quorate.results.requests.ClientResults;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/** The figures of a database of a run: of all steps, of each step, and of each operation. */
public final class DatabaseFigures {
  private final DatabaseRun run;
  private final List<StepFigures> steps;
  private final RequestFigures requests;
  private final List<RequestFigures> operations;
  private final SortedMap<Long, RequestFigures> byLoad = new TreeMap<>();
  private final Optional<ThroughputRange> range;
  private final List<ErrorSummary> errors;
  private final List<LimitResult> limits;
  private final Optional<HostAnalysis> host;
  private final Optional<TotalFigures> total;

  public DatabaseFigures(DatabaseRun run) {
    this.run = run;
    this.steps = StepFigures.of(run);
    OptionalDouble seconds =
        run.clients().stream().mapToDouble(ClientResults::totalSeconds).findFirst();
    this.requests = RequestFigures.of(run, any -> true, Optional.empty(), seconds);
    this.operations = RequestFigures.operations(run, any -> true, requests);
    steps.stream()
        .filter(step -> !step.seconds().isEmpty())
        .forEach(step -> byLoad.computeIfAbsent(step.load(), this::ofLoad));
    this.range =
        run.clients()
            .map(
                results ->
                    new ThroughputRange(
                        steps,
                        results.requestsPerSecond().orElse(Double.NaN),
                        results.totalSeconds()));
    this.errors = run.clients().map(ErrorSummary::all).orElse(List.of());
    this.limits = LimitResult.of(this);
    this.host =
        run.clients()
            .filter(results -> isComplete())
            .map(results -> HostAnalysis.of(run, results, steps));
    this.total =
        host.map(
            known ->
                TotalFigures.of(
                    run,
                    run.clients().orElseThrow(),
                    requests,
                    range.orElseThrow(),
                    known.figures()));
  }

  private RequestFigures ofLoad(long load) {
    List<StepFigures> same = steps.stream().filter(step -> step.load() == load).toList();
    if (same.size() == 1) {
      return same.get(0).requests();
    }
    double seconds = same.stream().mapToDouble(step -> step.durationSeconds().orElse(0)).sum();
    return RequestFigures.of(
        run,
        number -> same.stream().anyMatch(step -> step.number() == number),
        Optional.empty(),
        OptionalDouble.of(seconds));
  }

  public DatabaseRun run() {
    return run;
  }

  /** Returns the id of the database, for people. */
  public String id() {
    return VisibleText.of(run.manifest().store().id());
  }

  public boolean isComplete() {
    return run.manifest().status() == RunStatus.COMPLETE;
  }

  /** Returns whether requests were sent at a rate. */
  public boolean isOpen() {
    return steps.stream().anyMatch(step -> step.asked().isOpen());
  }

  /** Returns all steps that were asked for, in their order. */
  public List<StepFigures> steps() {
    return steps;
  }

  /** Returns the requests of all steps and operations. */
  public RequestFigures requests() {
    return requests;
  }

  /** Returns the requests of each operation of the mix, over all steps. */
  public List<RequestFigures> operations() {
    return operations;
  }

  /** Returns the requests by load, steps with the same load together. */
  public SortedMap<Long, RequestFigures> byLoad() {
    return Collections.unmodifiableSortedMap(byLoad);
  }

  /** Returns the requests of a step, or of all; of an operation, or of all. */
  RequestFigures requests(OptionalInt step, Optional<String> operation) {
    RequestFigures all = step.isPresent() ? steps.get(step.getAsInt() - 1).requests() : requests;
    return operation.isEmpty()
        ? all
        : (step.isPresent() ? steps.get(step.getAsInt() - 1).operations() : operations)
            .stream().filter(each -> each.operation().equals(operation)).findFirst().orElseThrow();
  }

  /** Returns the throughput of single seconds; empty if nothing was measured. */
  public Optional<ThroughputRange> range() {
    return range;
  }

  /** Returns the kinds of errors, the most frequent first. */
  public List<ErrorSummary> errors() {
    return errors;
  }

  /** Returns the limits of the scenario, in its order. */
  public List<LimitResult> limits() {
    return limits;
  }

  public List<LimitResult> brokenLimits() {
    return limits.stream().filter(limit -> !limit.isKept()).toList();
  }

  /** Returns what the machines did; empty if the database is not in the table. */
  public Optional<HostAnalysis> host() {
    return host;
  }

  /** Returns the column of the table; empty if the database is not in it. */
  public Optional<TotalFigures> total() {
    return total;
  }
}
