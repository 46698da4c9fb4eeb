package io.quorate.load;

import io.quorate.QuorateException;
import io.quorate.measure.ErrorTally;
import io.quorate.measure.RunClock;
import io.quorate.measure.StepMeasurement;
import io.quorate.measure.StepRecorder;
import io.quorate.measure.WatchRecorder;
import io.quorate.scenario.DatabaseLoad;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.Step;
import io.quorate.scenario.WatchLoad;
import io.quorate.store.Connection;
import io.quorate.store.ErrorKind;
import io.quorate.store.WatchSupport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * The load of one database: the preparation, the warm-up, and the measured steps. Made before the
 * servers are there; {@link #connectTo} tells where they are.
 */
public final class Load {
  /** Number of clients that prepare keys, enough to keep any of the stores busy. */
  private static final int PREPARING_CLIENTS = 100;

  private static final Duration COMPILER_LIMIT = Duration.ofSeconds(5);

  private final Scenario scenario;
  private final Workload workload;
  private final RunClock clock;
  private final List<LoadStep> steps = new ArrayList<>();
  private final boolean oneShot;
  private final int mostClients;
  private final int mostConnections;
  private final Optional<WatchLoad> mostWatchers;
  private final CompletableFuture<Connector> connector = new CompletableFuture<>();
  private volatile StepObserver observer = StepObserver.NONE;
  private volatile Preparation preparation;
  private volatile boolean cancelled;
  private final AtomicBoolean verified = new AtomicBoolean();

  public Load(Scenario scenario, DatabaseLoad load, RunClock clock) {
    this.scenario = scenario;
    this.workload = new Workload(scenario, load.requests());
    this.clock = clock;
    this.oneShot = load.steps().stream().anyMatch(Step::isOneShot);
    this.mostClients = load.steps().stream().mapToInt(Step::clients).max().orElseThrow();
    this.mostConnections = load.steps().stream().mapToInt(Step::connections).max().orElseThrow();
    this.mostWatchers =
        load.steps().stream()
            .flatMap(step -> step.watch().stream())
            .max(Comparator.comparingInt(WatchLoad::watchers));
    boolean coalesces =
        load.database().watches().of(!workload.watched().isOneKey())
            == WatchSupport.Delivery.LATEST;
    long firstIndex = 0;
    for (Step step : load.steps()) {
      steps.add(
          new LoadStep(
              step,
              steps.size() + 1,
              firstIndex,
              workload,
              scenario.seed(),
              clock,
              new Connecting(),
              this::watch,
              coalesces,
              () -> observer));
      firstIndex += step.requests();
    }
  }

  /** Opens connections as soon as it is known where the servers are. */
  private final class Connecting implements LoadStep.Opener {
    @Override
    public List<Connection> open(int connections, BooleanSupplier stepCancelled) {
      return connector.join().open(connections, stepCancelled);
    }

    @Override
    public Connection openOne(long request) {
      return connector.join().openOne(request);
    }
  }

  private Watchers watch(WatchLoad load, WatchRecorder recorder, BooleanSupplier stepCancelled) {
    return load.isOfHistory()
        ? Watchers.open(
            load, connector.join(), workload.pastPuts().watched(), recorder, stepCancelled)
        : Watchers.start(load, connector.join(), workload.watched(), recorder, stepCancelled);
  }

  /** Returns what requests do, for people: {@code get}, or {@code 95 % get, 5 % put}. */
  public String operations() {
    return scenario.mix().toString();
  }

  /** Returns the measured steps, in order. */
  public List<LoadStep> steps() {
    return List.copyOf(steps);
  }

  /** Returns the number of clients of the current step; 0 before the first one. Any thread. */
  public int presentClients() {
    return steps.stream()
        .filter(LoadStep::hasStarted)
        .reduce((earlier, later) -> later)
        .map(present -> present.step().clients())
        .orElse(0);
  }

  /** Sets the connector to the servers; to be called before the first request. */
  public void connectTo(Connector servers) {
    connector.complete(servers);
  }

  /** Returns the connector to the servers; waits until it was set. */
  public Connector connector() {
    return connector.join();
  }

  /**
   * Sets the observer that samples the machines at the ends of steps; to be called before the first
   * step.
   */
  public void observedBy(StepObserver machines) {
    observer = machines;
  }

  /**
   * Prevents further requests from starting, also in the preparation; those under way may still
   * end.
   */
  public void cancel() {
    cancelled = true;
    Preparation present = preparation;
    if (present != null) {
      present.budget().cancel();
    }
    steps.forEach(LoadStep::cancel);
  }

  /** Returns whether it was cancelled. */
  public boolean isCancelled() {
    return cancelled;
  }

  /** Waits until every step that has begun has ended, but no longer than this. */
  public void awaitEnd(Duration limit) {
    long deadline = System.nanoTime() + limit.toNanos();
    for (LoadStep step : steps) {
      if (step.hasStarted()) {
        step.awaitEnd(deadline - System.nanoTime());
      }
    }
  }

  /** Returns the current preparation, if any. */
  public Optional<Preparation> preparation() {
    return Optional.ofNullable(preparation);
  }

  /**
   * Writes the keys that have to be there, makes the warm-up requests and removes what they left.
   * Blocks until that is done, or as soon as it is cancelled.
   *
   * @throws QuorateException if it cannot be done, or if keys are there that the requests are to
   *     create
   */
  public void prepare() {
    List<Connection> connections = connector.join().open(mostConnections, () -> cancelled);
    try {
      long keys = scenario.keys().count();
      long warmUp = scenario.warmUp();
      if (workload.createsItsKeys()) {
        checkEmpty(connections);
      } else if (workload.usesKeys()) {
        all("writing the keys", workload.prepare(), keys, connections);
      }
      int history = PastPuts.count(scenario);
      if (history > 0) {
        all("writing what is watched", workload.pastPuts(), history, 1, connections);
      }
      workload
          .leases()
          .ifPresent(leases -> all("making leases", leases.grants(), leases.count(), connections));
      if (warmUp > 0 && workload.removesItsKeys()) {
        all("writing keys to remove", workload.prepareWarmUp(), workload.warmUpKeys(), connections);
      }
      if (warmUp > 0) {
        warmUp(warmUp, connections);
        Compilation.awaitQuiet(COMPILER_LIMIT);
      }
    } finally {
      preparation = null;
      connections.forEach(Connection::close);
    }
  }

  @SuppressWarnings("try") // it works until it is closed, and is not called
  private void warmUp(long requests, List<Connection> connections) {
    try (Reconnecting meanwhile = Reconnecting.start(connector.join());
        Watchers watchers = warmUpWatchers()) {
      some("warming up", workload.warmUp(), requests, connections);
      if (workload.createsItsKeys()) {
        all(
            "removing what the warm-up wrote",
            workload.cleanUp(),
            workload.warmUpKeys(),
            connections);
      }
    }
  }

  /** Starts watchers whose events are recorded nowhere; null if the steps have none. */
  private Watchers warmUpWatchers() {
    return mostWatchers
        .map(
            load ->
                Watchers.start(
                    load,
                    connector.join(),
                    load.isOfHistory() ? workload.pastPuts().watched() : workload.watchedInWarmUp(),
                    new WatchRecorder(0, 1, load.watchers(), load.streams(), false),
                    () -> cancelled))
        .orElse(null);
  }

  private void checkEmpty(List<Connection> connections) {
    StepMeasurement found = run("looking for keys", workload.firstAndLast(), 2, 1, connections);
    if (found.successes().count() > 0) {
      throw new QuorateException(
          "the servers hold keys of an earlier run already, which the requests are to create: give"
              + " empty servers, or remove the keys first");
    }
  }

  private void all(
      String what, NumberedRequests request, long requests, List<Connection> connections) {
    all(what, request, requests, PREPARING_CLIENTS, connections);
  }

  private void all(
      String what,
      NumberedRequests request,
      long requests,
      int clients,
      List<Connection> connections) {
    StepMeasurement measured = run(what, request, requests, clients, connections);
    List<ErrorTally> errors =
        measured.errors().stream()
            .filter(error -> !error.kind().equals(ErrorKind.MISSING.label()))
            .toList();
    if (!errors.isEmpty() && !cancelled) {
      throw failure(what, requests, errors.get(0));
    }
  }

  private void some(
      String what, NumberedRequests request, long requests, List<Connection> connections) {
    StepMeasurement measured = run(what, request, requests, mostClients, connections);
    if (measured.successes().count() == 0 && !cancelled) {
      throw failure(what, requests, measured.errors().get(0));
    }
  }

  private static QuorateException failure(String what, long requests, ErrorTally most) {
    return new QuorateException(
        "%s failed: of %d requests, %d ended with %s: %s"
            .formatted(what, requests, most.count(), most.kind(), most.message()));
  }

  /**
   * Returns further loads with requests of the same kind, on connections of their own, which are
   * opened now. Where requests read keys back afterwards, these are among them.
   *
   * @throws QuorateException if the connections cannot be opened
   */
  public LoadTrials trials() {
    LoadStep last = steps.get(steps.size() - 1);
    return new LoadTrials(
        workload,
        scenario.mix().operations(),
        connector.join().open(mostConnections, () -> cancelled),
        clock,
        scenario.timeout(),
        scenario.seed(),
        last.endIndex(),
        steps.stream().mapToLong(step -> step.step().requests()).sum());
  }

  /**
   * Returns the keys that the measured requests have written, once all of these have ended or
   * nobody waits for them any more.
   *
   * @return empty if nothing is to be verified, no step has begun, or it was called before
   */
  public Optional<WrittenKeys> writtenKeys() {
    boolean begun = steps.stream().anyMatch(LoadStep::hasStarted);
    return begun && workload.isVerified() && verified.compareAndSet(false, true)
        ? Optional.of(new WrittenKeys(workload))
        : Optional.empty();
  }

  private StepMeasurement run(
      String what,
      NumberedRequests request,
      long requests,
      int clients,
      List<Connection> connections) {
    StepRecorder recorder =
        new StepRecorder(
            clients,
            clock,
            request == workload.warmUp() ? workload.operations() : List.of(what),
            false);
    Budget budget = new Budget(0, requests);
    preparation = new Preparation(what, requests, recorder, budget);
    if (cancelled) {
      budget.cancel();
    }
    loop(request, budget, recorder).run((int) Math.min(clients, requests), connections).join();
    return recorder.measurement();
  }

  private Loop loop(NumberedRequests requests, Budget budget, StepRecorder recorder) {
    RequestSpacing noLimit = new RequestSpacing(OptionalLong.empty());
    return oneShot && requests == workload.warmUp()
        ? new OneShotLoop(budget, requests, recorder, noLimit, connector.join()::openOne)
        : new ClosedLoop(budget, requests, recorder, noLimit);
  }
}
