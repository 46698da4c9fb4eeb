// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import io.quorate.QuorateException;
import io.quorate.history.HistoryFile;
import io.quorate.load.workload.KeyRemoval;
import io.quorate.load.workload.WatchedKeys;
import io.quorate.load.workload.Workload;
import io.quorate.load.workload.WrittenKeys;
import io.quorate.measure.RunClock;
import io.quorate.measure.SloRecorder;
import io.quorate.scenario.LoadModel;
import io.quorate.scenario.LoadShare;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.Shard;
import io.quorate.scenario.Step;
import io.quorate.scenario.StoreLoad;
import io.quorate.scenario.WatchLoad;
import io.quorate.store.Connection;
import io.quorate.store.Endpoint;
import io.quorate.store.WatchSupport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * The load of one database: the preparation, the warm-up, and the measured steps. It is created
 * before the servers start; {@link #connectTo} sets their addresses.
 */
public final class Load {
  private static final Duration REVOCATION_TIMEOUT = Duration.ofSeconds(5);

  private static final Duration LOOK = Duration.ofMillis(20);

  private final Scenario scenario;
  private final Workload workload;
  private final RunClock clock;
  private final Setup preparation;
  private final List<RunningStep> steps = new ArrayList<>();
  private final List<RunningStep> trials = new CopyOnWriteArrayList<>();
  private final boolean coalesces;
  private final CompletableFuture<Connector> connector = new CompletableFuture<>();
  private final CompletableFuture<Connector> writers = new CompletableFuture<>();
  private volatile StepObserver observer = StepObserver.NONE;
  private volatile boolean cancelled;
  private final AtomicBoolean verified = new AtomicBoolean();

  /** Creates the load that one of several load generators generates. */
  public Load(LoadShare sharded, RunClock clock) {
    StoreLoad load = sharded.load();
    this.scenario = sharded.scenario();
    this.workload = new Workload(sharded);
    this.clock = clock;
    this.preparation =
        new Setup(
            scenario,
            load,
            workload,
            clock,
            writers,
            connectorOf(sharded.shard(), sharded.whole().mostConnections()));
    this.coalesces =
        load.database().watches().of(!workload.watched().isOneKey())
            == WatchSupport.Delivery.LATEST;
    long firstIndex = 0;
    for (Step step : load.steps()) {
      int number = steps.size() + 1;
      Step whole = sharded.whole().steps().get(number - 1);
      steps.add(
          new RunningStep(
              this,
              new RunningStep.Plan(
                  step,
                  number,
                  firstIndex,
                  dueTimes(sharded, number),
                  connectorOf(sharded.shard(), whole.connections()),
                  List.of(),
                  Optional.empty(),
                  Optional.empty())));
      firstIndex += step.requests();
    }
  }

  /**
   * Returns when the requests of each part of a step are due; empty in a closed loop, where each
   * follows the previous one.
   */
  private static List<Optional<DueTimes>> dueTimes(LoadShare load, int step) {
    long seed = load.scenario().requests().seed() + step;
    return load.whole().steps().get(step - 1).parts().stream()
        .map(
            part ->
                part.model() instanceof LoadModel.Open open
                    ? Optional.of(new DueTimes(open, seed, load.shard()))
                    : Optional.<DueTimes>empty())
        .toList();
  }

  /** Returns the connector with which a shard opens its share of a number of connections. */
  private CompletableFuture<Connector> connectorOf(Shard shard, int connections) {
    return connector.thenApply(servers -> servers.after(shard.before(connections)));
  }

  /** Returns the measured steps, in order. */
  public List<RunningStep> steps() {
    return List.copyOf(steps);
  }

  /**
   * Returns the number of clients of the current step; 0 before the first one. Safe for several
   * threads.
   */
  public int presentClients() {
    return all().stream()
        .filter(RunningStep::hasStarted)
        .reduce((earlier, later) -> later)
        .map(present -> present.step().clients())
        .orElse(0);
  }

  /** Sets the connector to the servers; to be called before the first request. */
  public void connectTo(Connector servers) {
    connectTo(servers, servers);
  }

  /**
   * Sets the connectors; to be called before the first request.
   *
   * @param keys connector to members that take writes, by which keys are written before the warm-up
   *     and read back
   * @param requests connector for the warm-up and the measured requests
   */
  public void connectTo(Connector keys, Connector requests) {
    writers.complete(keys);
    connector.complete(requests);
  }

  /**
   * Records all requests in a history; to be called before the first one.
   *
   * @param originNanos nano time at which the times of the history begin
   * @param members addresses of the members, by their numbers from 1
   */
  public void recordIn(HistoryFile file, long originNanos, List<Endpoint> members) {
    workload.recordIn(file, originNanos, members);
  }

  /** Writes what the history has buffered; to be called after the last request. */
  public void flushHistory() {
    workload.flushHistory();
  }

  /** Returns the number of different keys. */
  public long keyCount() {
    return workload.keyCount();
  }

  /** Returns a key by its number, from 0. */
  public byte[] key(long number) {
    return workload.key(number);
  }

  /** Returns the number that identifies a value in a history. */
  public long valueId(byte[] value) {
    return workload.valueId(value);
  }

  /** Returns its requests. */
  public Workload workload() {
    return workload;
  }

  public RunClock clock() {
    return clock;
  }

  StepObserver observer() {
    return observer;
  }

  /** Returns whether watchers may receive the latest state only. */
  boolean coalesces() {
    return coalesces;
  }

  /** Starts watchers whose events are recorded nowhere, until they are closed. */
  public Watchers watch(WatchLoad watchers) {
    WatchedKeys keys = workload.watched().reportedTo(watchers);
    return Watchers.unrecorded(watchers, keys, connector(), this::isCancelled);
  }

  /** Returns the connector of the measured requests; waits until it was set. */
  public Connector connector() {
    return connector.join();
  }

  /** Returns the connector to members that take writes; waits until it was set. */
  public Connector writers() {
    return writers.join();
  }

  /** Sets the observer of the ends of steps; to be called before the first step. */
  public void observedBy(StepObserver machines) {
    observer = machines;
  }

  /**
   * Prevents further requests from starting, even in the preparation; requests in flight may still
   * end.
   */
  public void cancel() {
    cancelled = true;
    preparation.cancel();
    all().forEach(RunningStep::cancel);
  }

  /** Returns whether a step waits to begin with others. */
  public boolean isHeld() {
    return observer.isWaiting();
  }

  public boolean isCancelled() {
    return cancelled;
  }

  /** Waits until every step that has begun has ended, but no longer than this limit. */
  public void awaitEnd(Duration limit) {
    long deadline = System.nanoTime() + limit.toNanos();
    for (RunningStep step : all()) {
      if (step.hasStarted()) {
        step.awaitEnd(deadline - System.nanoTime());
      }
    }
  }

  /** Returns how many keys it has at most at a time, without the preloaded ones. */
  public long mostKeys() {
    return workload.mostKeys();
  }

  public long bytesPerKey() {
    return scenario.requests().bytesPerKey();
  }

  /**
   * Cancels the load, waits for requests in flight up to a limit, and returns the removal of the
   * written keys. For loads whose keys have a prefix.
   */
  public KeyRemoval removal(Duration limit) {
    stop(limit);
    return preparation.removal(steps.stream().anyMatch(RunningStep::hasStarted));
  }

  /** Cancels everything, and waits for requests in flight up to a limit. */
  private void stop(Duration limit) {
    cancel();
    long deadline = System.nanoTime() + limit.toNanos();
    awaitEnd(limit);
    while (preparation.phase().isPresent() && System.nanoTime() - deadline < 0) {
      LockSupport.parkNanos(LOOK.toNanos());
    }
  }

  /**
   * Cancels the load, waits for requests in flight up to a limit, and revokes the leases that keys
   * may have.
   *
   * @throws QuorateException if that is not possible
   */
  public void revokeLeases(Duration limit) {
    stop(limit);
    List<String> granted = workload.leasesOfKeys();
    if (!granted.isEmpty()) {
      Connector servers = writers().withTimeout(REVOCATION_TIMEOUT);
      servers.atAny(settings -> servers.client().revoke(settings, granted));
    }
  }

  public Optional<SetupPhase> preparation() {
    return preparation.phase();
  }

  /**
   * Writes the required keys, sends the warm-up requests and removes their keys. Blocks until that
   * is done or cancelled.
   *
   * @param written runs between the two
   * @throws QuorateException if the preparation fails, or if keys exist that the requests are to
   *     create
   */
  public void prepare(Runnable written) {
    preparation.run(written);
  }

  /** Prepares like the other method, without anything between writing keys and warm-up. */
  public void prepare() {
    prepare(() -> {});
  }

  /**
   * Writes keys that no request uses, to enlarge the store. Blocks until that is done or cancelled.
   *
   * @param from number of the first key; all keys below it were written before
   * @param to number after the last key
   * @param connections open connections without requests in flight
   * @throws QuorateException if it cannot be done
   */
  public void preload(long from, long to, List<Connection> connections) {
    preparation.preload(from, to, connections);
  }

  /**
   * Adds a trial: a further step, on connections that stay open. Each number of a request is used
   * once, so that acknowledged writes can be read back at the end. For one thread.
   *
   * @param seconds seconds after which no more requests are sent
   */
  public RunningStep addTrial(
      LoadModel model,
      int seconds,
      List<Connection> connections,
      SloRecorder slo,
      StepObserver observer) {
    long firstIndex = endIndex();
    long requests = requestsLeft();
    int used = connections.size();
    Optional<DueTimes> dueTimes = Optional.empty();
    if (model instanceof LoadModel.Open open) {
      requests = Math.min(requests, open.ratePerSecond() * seconds);
      dueTimes =
          Optional.of(new DueTimes(open, scenario.requests().seed() + firstIndex, Shard.WHOLE));
    } else if (model instanceof LoadModel.Closed closed) {
      used = Math.min(used, closed.clients());
    }
    Step step = new Step(model, used, requests, Optional.of(Duration.ofSeconds(seconds)));
    RunningStep trial =
        new RunningStep(
            this,
            new RunningStep.Plan(
                step,
                trials.size() + 1,
                firstIndex,
                List.of(dueTimes),
                connector,
                connections.subList(0, used),
                Optional.of(slo),
                Optional.of(observer)));
    trials.add(trial);
    if (cancelled) {
      trial.cancel();
    }
    return trial;
  }

  /** Returns the trials so far, in order. Safe for several threads. */
  public List<RunningStep> trials() {
    return List.copyOf(trials);
  }

  /** Returns how many requests are left for trials. */
  public long requestsLeft() {
    return steps.stream().mapToLong(step -> step.step().requests()).sum() - endIndex();
  }

  /** Returns a number above the numbers of all requests so far. */
  private long endIndex() {
    List<RunningStep> made = trials.isEmpty() ? steps : trials;
    return made.get(made.size() - 1).endIndex();
  }

  private List<RunningStep> all() {
    List<RunningStep> all = new ArrayList<>(steps);
    all.addAll(trials);
    return all;
  }

  /**
   * Returns the keys that the measured requests have written, once all requests have ended or were
   * abandoned.
   *
   * @return the keys; empty if nothing is to be verified, no step has begun, or this was called
   *     before
   */
  public Optional<WrittenKeys> writtenKeys() {
    boolean begun = steps.stream().anyMatch(RunningStep::hasStarted);
    return begun && workload.isVerified() && verified.compareAndSet(false, true)
        ? Optional.of(new WrittenKeys(workload))
        : Optional.empty();
  }
}
