package io.quorate.load;

import io.quorate.measure.StepRecorder;
import io.quorate.measure.WatchRecorder;
import io.quorate.scenario.Step;
import io.quorate.scenario.WatchLoad;
import io.quorate.store.Connection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * One step of a load while it runs: its requests, its recorder and its connections, which are
 * opened when the first client asks for them and closed after the last one has ended, so that
 * neither costs time that is measured and no request of the next step overlaps one of this step. An
 * observer is told just before the first request and just after the last one.
 */
public final class LoadStep {
  private static final int MANY_CONNECTIONS = 100;

  /**
   * Executor that waits for a second: servers have work to do for many new sessions after they were
   * opened, such as the first renewal of their leases; zetcd drops those whose first renewal a
   * sudden load keeps waiting for 5 s.
   */
  private static final Executor A_SECOND_LATER =
      CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS);

  private final StepRequests requests;
  private final Step step;
  private final Budget budget;
  private final Opener connector;
  private final WatcherOpener watcherOpener;
  private final Supplier<StepObserver> observer;
  private final AtomicInteger started = new AtomicInteger();
  private final AtomicInteger finished = new AtomicInteger();
  private final CompletableFuture<List<Connection>> connections = new CompletableFuture<>();
  private final CompletableFuture<Void> closed = new CompletableFuture<>();
  private volatile Running running;

  /** The watchers; null until they are in place, and if there are none. */
  private volatile Watchers watchers;

  private final SelfWatch selfWatch = new SelfWatch();
  private volatile SelfWatch watched;

  /** The running requests of the step and their recorder; there from the first client on. */
  private record Running(StepRecorder recorder, Loop loop) {}

  /** Opens a number of connections, unless cancelled. */
  interface Opener {
    List<Connection> open(int connections, BooleanSupplier cancelled);

    /** Opens the connection of the request with this number. */
    Connection openOne(long request);
  }

  /** Starts the watchers of a step, unless cancelled. */
  @FunctionalInterface
  interface WatcherOpener {
    Watchers start(WatchLoad load, WatchRecorder recorder, BooleanSupplier cancelled);
  }

  /**
   * @param watcherOpener starts the watchers, if the step has some
   * @param observer asked for when the step begins
   */
  LoadStep(
      StepRequests requests,
      Opener connector,
      WatcherOpener watcherOpener,
      Supplier<StepObserver> observer) {
    this.requests = requests;
    this.step = requests.step();
    this.budget = requests.budget();
    this.connector = connector;
    this.watcherOpener = watcherOpener;
    this.observer = observer;
  }

  private Running begun() {
    StepRecorder recorder = requests.recorder();
    return new Running(recorder, requests.loop(budget, recorder, connector));
  }

  /** Returns a number above those of its requests, once it has ended. */
  long endIndex() {
    return running == null
        ? requests.firstIndex()
        : requests.firstIndex()
            + running.recorder().successCount()
            + running.recorder().errorCount()
            + running.recorder().shedCount();
  }

  /** Returns its number, from 1. */
  public int number() {
    return requests.number();
  }

  /** Returns the step of the scenario. */
  public Step step() {
    return step;
  }

  /** Returns the recorder of the requests; there when a client has begun. */
  public StepRecorder recorder() {
    return running.recorder();
  }

  /**
   * Returns the times when this process stood still, or an open loop fell behind its schedule; none
   * until the last client has ended.
   */
  public List<Stall> stalls() {
    if (watched == null) {
      return List.of();
    }
    List<Stall> ofPacer = running.loop() instanceof OpenLoop open ? open.stalls() : List.of();
    return Stall.merged(ofPacer, watched.stalls());
  }

  /** Returns the cost of the step to this process; empty until its last client has ended. */
  public Optional<SelfWatch> selfWatch() {
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

  void awaitEnd(long limitNanos) {
    closed
        .handle((ended, failure) -> true)
        .completeOnTimeout(false, limitNanos, TimeUnit.NANOSECONDS)
        .join();
  }

  /** Returns the reason why no client could begin, if so. */
  public Optional<String> failure() {
    return closed
        .handle((ended, failure) -> Optional.ofNullable(failure).map(Throwable::getMessage))
        .getNow(Optional.empty());
  }

  void cancel() {
    budget.cancel();
  }

  /**
   * Adds a client to the step, which begins as soon as the connections are open.
   *
   * @return completes when every client has ended and every connection is closed; fails if the
   *     connections cannot be opened
   */
  public CompletableFuture<Void> join(RequestLog log) {
    int client = started.getAndIncrement();
    if (client == 0) {
      running = begun();
      inBackground("connect", this::connect);
    }
    connections.thenAccept(open -> running.loop().join(client, open, log, this::clientEnded));
    return closed;
  }

  private void connect() {
    if (budget.isCancelled()) {
      closed.complete(null);
      return;
    }
    try {
      // for clients that connect for each request one that shows that the servers are there
      int count = step.isOneShot() ? 1 : step.connections();
      List<Connection> open = connector.open(count, budget::isCancelled);
      startWatchers(open);
      System.gc(); // else what came before is collected within the step, which stops its requests
      boolean many =
          step.connections() + step.watch().map(WatchLoad::streams).orElse(0) >= MANY_CONNECTIONS;
      Executor settled = many ? A_SECOND_LATER : Runnable::run;
      settled.execute(() -> begin(open));
    } catch (RuntimeException failure) {
      closed.completeExceptionally(failure);
    }
  }

  private void startWatchers(List<Connection> open) {
    try {
      watchers =
          step.watch()
              .map(
                  load ->
                      watcherOpener.start(
                          load, running.recorder().watch().orElseThrow(), budget::isCancelled))
              .orElse(null);
    } catch (RuntimeException failure) {
      open.forEach(Connection::close);
      throw failure;
    }
  }

  private void closeAll(List<Connection> open) {
    open.forEach(Connection::close);
    if (watchers != null) {
      watchers.close();
    }
  }

  private void begin(List<Connection> open) {
    try {
      observer.get().begins(number());
      selfWatch.start(open, recorder());
    } catch (RuntimeException failure) {
      closeAll(open);
      closed.completeExceptionally(failure);
      return;
    }
    if (step.endsByTime()) {
      budget.endAt(System.nanoTime() + step.duration().orElseThrow().toNanos());
    }
    if (requests.watchHistory()) {
      inBackground("watch", () -> watchers.catchUp(step.watch().orElseThrow()));
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
    try {
      List<Connection> open = connections.join();
      if (watchers != null) {
        watchers.drain(open, budget::isCancelled);
      }
      observer.get().hasEnded(number());
      closeAll(open);
      RequestLog.told().join();
    } finally {
      closed.complete(null);
    }
  }

  private void inBackground(String what, Runnable work) {
    Thread thread = new Thread(work, what + "-" + step.clients() + "-clients");
    thread.setDaemon(true);
    thread.start();
  }
}
