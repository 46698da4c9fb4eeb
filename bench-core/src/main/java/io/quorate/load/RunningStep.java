// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import io.quorate.DaemonThreads;
import io.quorate.load.workload.RequestSource;
import io.quorate.load.workload.Workload;
import io.quorate.measure.SloRecorder;
import io.quorate.measure.StepRecorder;
import io.quorate.measure.WatchRecorder;
import io.quorate.scenario.LoadModel;
import io.quorate.scenario.Step;
import io.quorate.scenario.WatchLoad;
import io.quorate.store.Connection;
import io.quorate.store.Subscriptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One step of a load while it runs: its requests, its recorder and its connections. The first
 * client opens the connections, and they are closed after the last client has ended. So neither
 * costs measured time, and requests of consecutive steps do not overlap. A trial of a capacity
 * search is a step on connections that stay open. An observer is notified just before the first
 * request and just after the last one.
 */
public final class RunningStep {
  private static final int MANY_CONNECTIONS = 100;

  /**
   * Executor that waits for a second: many new sessions cause work for the servers after they were
   * opened, such as the first renewal of their leases. For example, zetcd drops sessions whose
   * first renewal is delayed for 5 s.
   */
  private static final Executor SETTLE_DELAY =
      CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS);

  /**
   * The plan of a step.
   *
   * @param number number of the step, from 1
   * @param firstIndex number of the first request
   * @param dueTimes scheduled send times of each part of the step; empty for a closed loop
   * @param warm open connections that stay open; empty if the step opens its own
   * @param slo recorder that judges the requests; empty if they are not judged
   * @param observer observer that samples the machines; empty for the observer of the load
   */
  record Plan(
      Step step,
      int number,
      long firstIndex,
      List<Optional<DueTimes>> dueTimes,
      CompletableFuture<Connector> connector,
      List<Connection> warm,
      Optional<SloRecorder> slo,
      Optional<StepObserver> observer) {}

  private final Load load;
  private final Plan plan;
  private final Step step;
  private final Workload workload;

  /** The numbers of the requests of each part of the step. */
  private final List<RequestCounter> budgets;

  private final AtomicInteger started = new AtomicInteger();
  private final AtomicInteger finished = new AtomicInteger();
  private final CompletableFuture<List<Connection>> connections = new CompletableFuture<>();
  private final CompletableFuture<Void> closed = new CompletableFuture<>();
  private volatile @Nullable Running running;

  /** The watchers; null before they are started, and if there are none. */
  private volatile @Nullable Watchers watchers;

  private final LoadGeneratorMonitor selfWatch = new LoadGeneratorMonitor();
  private volatile @Nullable LoadGeneratorMonitor watched;

  /** The running requests of the step and their recorder; available from the first client on. */
  private record Running(StepRecorder recorder, Loop loop) {}

  RunningStep(Load load, Plan plan) {
    this.load = load;
    this.plan = plan;
    this.step = plan.step();
    this.workload = load.workload();
    List<RequestCounter> counters = new ArrayList<>();
    long from = plan.firstIndex();
    for (Step part : step.parts()) {
      counters.add(new RequestCounter(from, part.requests()));
      from += part.requests();
    }
    this.budgets = List.copyOf(counters);
  }

  private Running begun() {
    StepRecorder recorder =
        new StepRecorder(
            step.clients(),
            load.clock(),
            workload.operations(),
            step.parts().stream().anyMatch(Step::isOpen),
            plan.slo());
    step.watch().map(this::watchRecorder).ifPresent(recorder::watchedBy);
    if (step.isOneShot()) {
      recorder.recordConnects();
    }
    return new Running(recorder, loop(recorder));
  }

  private Loop loop(StepRecorder recorder) {
    RequestSource requests =
        recorder
            .watch()
            .filter(watch -> !watchesHistory())
            .map(workload::measured)
            .orElseGet(workload::measured);
    List<Step> parts = step.parts();
    List<Loop> loops = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      loops.add(loop(parts.get(i), budgets.get(i), plan.dueTimes().get(i), requests, recorder));
    }
    return loops.size() == 1 ? loops.get(0) : new SideBySide(loops, parts);
  }

  private Loop loop(
      Step part,
      RequestCounter budget,
      Optional<DueTimes> dueTimes,
      RequestSource requests,
      StepRecorder recorder) {
    if (part.model() instanceof LoadModel.Closed closed) {
      RateLimiter limit = new RateLimiter(closed.limitPerSecond());
      return closed.oneShot()
          ? new OneShotLoop(
              budget, requests, recorder, limit, index -> plan.connector().join().openOne(index))
          : new ClosedLoop(
              budget, requests, recorder, limit, new ThinkTime(closed.think(), closed.clients()));
    }
    LoadModel.Open open = (LoadModel.Open) part.model();
    return new OpenLoop(
        budget,
        new Pacer(dueTimes.orElseThrow(), open.peak(), part.requests()),
        requests,
        recorder,
        open.maxOutstanding(),
        part.connections());
  }

  private WatchRecorder watchRecorder(WatchLoad watch) {
    if (watch.isOfHistory()) {
      return new WatchRecorder(
          0, watch.history(), watch.watchers(), watch.watchers(), watch.streams(), false);
    }
    Step watched = step.watchedParts().get(0);
    return new WatchRecorder(
        budgets.get(step.parts().indexOf(watched)).next(), // none has been taken yet
        Math.toIntExact(watched.requests()),
        watch.watchers(),
        workload.watched().receivers(watch.watchers()),
        watch.streams(),
        load.coalesces());
  }

  /** Returns whether the step's watchers receive earlier puts. */
  private boolean watchesHistory() {
    return step.watch().filter(WatchLoad::isOfHistory).isPresent();
  }

  private StepObserver observer() {
    return plan.observer().orElseGet(load::observer);
  }

  /**
   * Returns a number above the numbers of all requests it may send, or has sent if it has ended.
   */
  long endIndex() {
    if (running == null) {
      return plan.firstIndex();
    }
    RequestCounter last = budgets.get(budgets.size() - 1);
    return hasEnded() || isCancelled() ? last.next() : plan.firstIndex() + step.requests();
  }

  private boolean isCancelled() {
    return budgets.get(0).isCancelled();
  }

  /** Returns its number, from 1. */
  public int number() {
    return plan.number();
  }

  public Step step() {
    return step;
  }

  /** Returns the recorder of the requests; available after a client has begun. */
  public StepRecorder recorder() {
    return running().recorder();
  }

  private Running running() {
    return Objects.requireNonNull(running);
  }

  /**
   * Returns the times when this process stalled, or an open loop fell behind its schedule; none
   * until the last client has ended.
   */
  public List<LoadGeneratorStall> stalls() {
    if (watched == null) {
      return List.of();
    }
    return LoadGeneratorStall.merged(running().loop().stalls(), watched.stalls());
  }

  /** Returns the cost of the step to this process; empty until its last client has ended. */
  public Optional<LoadGeneratorMonitor> selfWatch() {
    return Optional.ofNullable(watched);
  }

  /** Returns whether a client has begun. */
  public boolean hasStarted() {
    return running != null;
  }

  /** Returns whether every client has ended, or none could begin. */
  public boolean hasEnded() {
    return closed.isDone();
  }

  public void awaitEnd(long limitNanos) {
    closed
        .handle((ended, failure) -> true)
        .completeOnTimeout(false, limitNanos, TimeUnit.NANOSECONDS)
        .join();
  }

  /** Returns the reason why no client could begin, or why the step did not end as it should. */
  public Optional<String> failure() {
    return closed
        .handle(
            (ended, failure) ->
                Optional.ofNullable(failure)
                    .map(each -> Objects.requireNonNullElseGet(each.getMessage(), each::toString)))
        .getNow(Optional.empty());
  }

  /** Prevents further requests from starting; those in flight may still end. */
  public void cancel() {
    budgets.forEach(RequestCounter::cancel);
  }

  /** Starts all clients; only the recorder is notified of their requests. */
  public void start() {
    for (int i = 0; i < step.clients(); i++) {
      join(new RequestLog(RequestListener.NOBODY));
    }
  }

  /**
   * Adds a client to the step, which begins as soon as the connections are open.
   *
   * @return completes when every client has ended and every connection is closed; fails if the
   *     connections cannot be opened
   */
  public CompletableFuture<Void> join(RequestLog log) {
    int client = started.getAndIncrement();
    if (client == 0 && isCancelled() && plan.warm().isEmpty()) {
      closed.complete(null); // it has not started, and has no results
    } else if (client == 0) {
      running = begun();
      inBackground("connect", this::connect);
    }
    connections.thenAccept(open -> running().loop().join(client, open, log, this::clientEnded));
    return closed;
  }

  private void connect() {
    if (isCancelled()) {
      closed.complete(null);
      return;
    }
    if (!plan.warm().isEmpty()) {
      begin(plan.warm());
      return;
    }
    try {
      // for clients that connect for each request: one connection, which shows that the servers
      // answer
      int count = step.isOneShot() ? 1 : step.connections();
      List<Connection> open = plan.connector().join().open(count, this::isCancelled);
      startWatchers(open);
      System
          .gc(); // otherwise earlier garbage is collected within the step, which stops its requests
      boolean many =
          step.connections() + step.watch().map(WatchLoad::streams).orElse(0) >= MANY_CONNECTIONS;
      Executor settled = many ? SETTLE_DELAY : Runnable::run;
      settled.execute(() -> begin(open));
    } catch (CancellationException ended) {
      closed.complete(null);
    } catch (RuntimeException failure) {
      closed.completeExceptionally(failure);
    }
  }

  private void startWatchers(List<Connection> open) {
    try {
      watchers = step.watch().map(this::watchers).orElse(null);
    } catch (RuntimeException failure) {
      open.forEach(Connection::close);
      throw failure;
    }
  }

  private Watchers watchers(WatchLoad watch) {
    WatchRecorder recorder = recorder().watch().orElseThrow();
    List<Subscriptions> streams = load.connector().subscribe(watch.streams(), this::isCancelled);
    return watch.isOfHistory()
        ? new Watchers(streams, workload.pastPuts().watched().reportedTo(watch), recorder)
        : new Watchers(streams, workload.watched().reportedTo(watch), recorder).started(watch);
  }

  private void closeAll(List<Connection> open) {
    if (plan.warm().isEmpty()) {
      open.forEach(Connection::close);
    }
    if (watchers != null) {
      watchers.close();
    }
  }

  private void begin(List<Connection> open) {
    try {
      observer().begins(number());
      selfWatch.start(open, recorder());
    } catch (RuntimeException failure) {
      closeAll(open);
      closed.completeExceptionally(failure);
      return;
    }
    for (int i = 0; i < budgets.size(); i++) {
      Step part = step.parts().get(i);
      if (part.endsByTime()) {
        budgets.get(i).endAt(System.nanoTime() + part.duration().orElseThrow().toNanos());
      }
    }
    if (watchesHistory()) {
      inBackground(
          "watch", () -> Objects.requireNonNull(watchers).catchUp(step.watch().orElseThrow()));
    }
    connections.complete(open);
  }

  private void clientEnded() {
    if (finished.incrementAndGet() == step.clients()) {
      selfWatch.stop();
      watched = selfWatch;
      inBackground("disconnect", this::disconnect);
    }
  }

  private void disconnect() {
    List<Connection> open = connections.join();
    try {
      try {
        if (watchers != null) {
          watchers.drain(open, this::isCancelled);
        }
        observer().hasEnded(number());
      } finally {
        closeAll(open);
        RequestLog.told().join();
      }
      closed.complete(null);
    } catch (RuntimeException failure) {
      closed.completeExceptionally(failure);
    }
  }

  private void inBackground(String what, Runnable work) {
    DaemonThreads.start(what + "-" + step.clients() + "-clients", work);
  }
}
