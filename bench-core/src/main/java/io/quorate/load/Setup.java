// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import io.quorate.QuorateException;
import io.quorate.load.workload.KeyRemoval;
import io.quorate.load.workload.PreparingRequests;
import io.quorate.load.workload.RequestSource;
import io.quorate.load.workload.WarmUp;
import io.quorate.load.workload.WatchHistory;
import io.quorate.load.workload.Workload;
import io.quorate.measure.ErrorTally;
import io.quorate.measure.OperationRecorder;
import io.quorate.measure.RunClock;
import io.quorate.measure.StepMeasurement;
import io.quorate.measure.StepRecorder;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.Step;
import io.quorate.scenario.StoreLoad;
import io.quorate.scenario.WatchLoad;
import io.quorate.store.Connection;
import io.quorate.store.ErrorKind;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The requests before the measured ones: writes the keys that must exist, and warms up the servers
 * and this process. Runs in one thread; the phase and the cancellation are for any.
 */
final class Setup {
  /** Number of clients of all shards that prepare keys, enough to saturate any of the stores. */
  private static final int PREPARING_CLIENTS = 100;

  private static final long INTERVAL_MILLIS = 100;

  /** How long requests of a warm-up by time are sent before it is judged. */
  private static final Duration WARM_UP_SLICE = Duration.ofSeconds(1);

  /** Least number of keys that are written for requests of a warm-up that remove them. */
  private static final long MIN_REMOVALS = 500;

  private final Scenario scenario;
  private final Workload workload;
  private final PreparingRequests preparing;
  private final RunClock clock;
  private final CompletableFuture<Connector> writers;
  private final CompletableFuture<Connector> connector;
  private final boolean oneShot;
  private final int mostClients;
  private final int mostConnections;
  private final Optional<WatchLoad> mostWatchers;

  private final ScheduledParts scheduledParts;

  private final AtomicLong prepared = new AtomicLong();

  /** Number of requests of the warm-up whose keys may exist. */
  private volatile long warmUpWithKeys;

  private boolean warmed;
  private volatile long preloaded;
  private volatile @Nullable SetupPhase phase;
  private volatile boolean cancelled;

  Setup(
      Scenario scenario,
      StoreLoad load,
      Workload workload,
      RunClock clock,
      CompletableFuture<Connector> writers,
      CompletableFuture<Connector> connector) {
    this.scenario = scenario;
    this.workload = workload;
    this.preparing = workload.preparing();
    this.clock = clock;
    this.writers = writers;
    this.connector = connector;
    this.oneShot = load.steps().stream().anyMatch(Step::isOneShot);
    this.mostClients = load.steps().stream().mapToInt(Step::clients).max().orElseThrow();
    this.mostConnections = load.mostConnections();
    this.scheduledParts = new ScheduledParts(load, scenario.requests().seed());
    this.mostWatchers =
        load.steps().stream()
            .flatMap(step -> step.watch().stream())
            .max(Comparator.comparingInt(WatchLoad::watchers));
  }

  /** Returns the current phase; empty before the first one and after the last one. */
  Optional<SetupPhase> phase() {
    return Optional.ofNullable(phase);
  }

  void cancel() {
    cancelled = true;
    SetupPhase present = phase;
    if (present != null) {
      present.budget().cancel();
    }
  }

  /** Implements {@link Load#prepare}. */
  void run(Runnable written) {
    if (writesElsewhere()) {
      connected(writers.join(), this::writeKeys);
    }
    connected(
        connector.join(),
        connections -> {
          if (!writesElsewhere()) {
            writeKeys(connections);
          }
          written.run();
          if (workload.warmUp().mostRequests() > 0) {
            warmUp(connections);
            IdleCompiler.await();
          }
        });
  }

  /** Returns whether the members that get the requests do not take the keys. */
  private boolean writesElsewhere() {
    return !writers.join().endpoints().containsAll(connector.join().endpoints());
  }

  private void connected(Connector servers, Consumer<List<Connection>> use) {
    List<Connection> connections = servers.open(preparingConnections(), () -> cancelled);
    try {
      use.accept(connections);
    } finally {
      phase = null;
      connections.forEach(Connection::close);
    }
  }

  /**
   * Returns how many connections are open. The warm-up replaces them one by one, and perhaps opens
   * one for each request, so that there are never more than in the load.
   */
  private int preparingConnections() {
    return Math.max(1, oneShot ? mostConnections / 2 : mostConnections - 1);
  }

  private void writeKeys(List<Connection> connections) {
    long keys = scenario.requests().keys().count();
    if (scenario.requests().mix().range().stream()) {
      String what = "a streamed range, which etcd has from 3.7 on,";
      all(what, preparing.streamedRange(), 1, 1, connections);
    }
    if (workload.createsItsKeys()) {
      checkEmpty(connections);
    } else if (workload.usesKeys()) {
      all("writing the keys", counted(workload.writeKeys()), keys, connections);
    }
    int history = WatchHistory.count(scenario);
    if (history > 0) {
      all("writing what is watched", workload.pastPuts(), history, 1, connections);
    }
    workload
        .leases()
        .ifPresent(leases -> all("making leases", leases.grants(), leases.count(), connections));
    if (workload.objects() > 0) {
      all("creating objects", workload.createObjects(), workload.objects(), connections);
    }
  }

  /** Implements {@link Load#preload}. */
  void preload(long from, long to, List<Connection> connections) {
    preloaded = Math.max(preloaded, to);
    Consumer<List<Connection>> writing =
        open -> all("making the database larger", from(from, preparing.preload()), to - from, open);
    try {
      if (writesElsewhere()) {
        connected(writers.join(), writing);
      } else {
        writing.accept(connections);
      }
    } finally {
      phase = null;
    }
  }

  /** Sends requests until the least number of them was sent and the process is warm. */
  @SuppressWarnings("try") // it works until it is closed, and has no methods to call
  private void warmUp(List<Connection> connections) {
    SteadyState state = new SteadyState();
    long latest = System.nanoTime() + WarmUp.LONGEST.toNanos();
    long sent = 0;
    long removed = 0;
    int part = 0;
    try (Watchers watchers = warmUpWatchers()) {
      do {
        renew(connections, part++ % connections.size());
        sent = warmUp(sent, removed + workload.warmUp().requestsOfRound(), connections, state);
        if (workload.removesItsKeys() || sent - removed >= workload.warmUp().requestsOfRound()) {
          removed = removeKeys(removed, sent, connections);
        }
      } while (!cancelled
          && sent < workload.warmUp().mostRequests()
          && (sent < scenario.requests().warmUp()
              || !state.isReached() && System.nanoTime() - latest < 0));
      removeKeys(removed, sent, connections);
    }
    if (!cancelled && workload.createsItsKeys()) {
      warmUpWithKeys = 0;
    }
  }

  /**
   * Sends some requests of the warm-up; returns the number of the next.
   *
   * @param end number of the first request that would write a key again
   */
  private long warmUp(long from, long end, List<Connection> connections, SteadyState state) {
    long requests = Math.min(end, workload.warmUp().mostRequests()) - from;
    boolean removes = workload.removesItsKeys();
    if (removes && scenario.requests().warmsUpByTime()) {
      requests = Math.min(requests, Math.max(MIN_REMOVALS, 2L * mostClients));
    }
    warmUpWithKeys = from + requests;
    if (removes) {
      all(
          "writing keys to remove",
          from(workload.warmUp().firstKey(from), preparing.writeWarmUpKeys()),
          workload.warmUp().keys(requests),
          connections);
    }
    return some(
        "warming up", workload.warmUpRequests(), from, requests, !removes, connections, state);
  }

  /** Removes what requests of the warm-up wrote, if it may not stay; returns the end. */
  private long removeKeys(long from, long end, List<Connection> connections) {
    if (workload.createsItsKeys() && end > from) {
      all(
          "removing what the warm-up wrote",
          from(workload.warmUp().firstKey(from), preparing.removeWarmUpKeys()),
          workload.warmUp().keys(end - from),
          connections);
    }
    return end;
  }

  private static RequestSource from(long first, RequestSource requests) {
    return (connection, index, completion) -> requests.send(connection, first + index, completion);
  }

  /**
   * Replaces a connection, as each step opens its own. Otherwise the JVM would run the code of the
   * first requests of a connection for the first time at the beginning of the measurement, and
   * would then recompile much of the path of a request.
   */
  private void renew(List<Connection> connections, int which) {
    try {
      connections.set(which, connector.join().openOne(which)).close();
    } catch (CancellationException | QuorateException unreachable) {
      // the requests find out whether the servers are available
    }
  }

  /** Returns requests that are counted as begun. */
  private RequestSource counted(RequestSource writes) {
    return (connection, index, completion) -> {
      prepared.accumulateAndGet(index + 1, Math::max);
      writes.send(connection, index, completion);
    };
  }

  /**
   * Returns the removal of all written keys, including keys of measured requests if these have
   * begun.
   */
  KeyRemoval removal(boolean begun) {
    return workload.removal(prepared.get(), warmUpWithKeys, preloaded, begun);
  }

  /** Starts watchers whose events are recorded nowhere; null if the steps have none. */
  private @Nullable Watchers warmUpWatchers() {
    return mostWatchers
        .map(
            load ->
                Watchers.unrecorded(
                    load,
                    (load.isOfHistory()
                            ? workload.pastPuts().watched()
                            : workload.watchedInWarmUp())
                        .reportedTo(load),
                    connector.join(),
                    () -> cancelled))
        .orElse(null);
  }

  private void checkEmpty(List<Connection> connections) {
    StepMeasurement found =
        measure(
            "looking for keys",
            preparing.firstAndLast(),
            new RequestCounter(0, 2),
            2,
            1,
            connections,
            Optional.empty());
    if (found.successes().count() > 0) {
      throw new QuorateException(
          "the servers already contain keys that this run would create: use empty servers, "
              + "or remove the keys first");
    }
  }

  private void all(
      String what, RequestSource request, long requests, List<Connection> connections) {
    all(what, request, requests, Math.max(1, workload.share(PREPARING_CLIENTS)), connections);
  }

  private void all(
      String what,
      RequestSource request,
      long requests,
      int clients,
      List<Connection> connections) {
    StepMeasurement measured =
        measure(
            what,
            request,
            new RequestCounter(0, requests),
            requests,
            clients,
            connections,
            Optional.empty());
    List<ErrorTally> errors =
        measured.errors().stream()
            .filter(error -> !error.kind().equals(ErrorKind.MISSING.label()))
            .toList();
    if (!errors.isEmpty() && !cancelled) {
      throw failure(what, requests, errors.get(0));
    }
  }

  /** Sends requests for up to a second, if they may end; returns the number after the last one. */
  private long some(
      String what,
      RequestSource request,
      long from,
      long requests,
      boolean endsByTime,
      List<Connection> connections,
      SteadyState state) {
    RequestCounter budget = new RequestCounter(from, requests);
    if (endsByTime && scenario.requests().warmsUpByTime()) {
      budget.endAt(System.nanoTime() + WARM_UP_SLICE.toNanos());
      scheduledParts.next();
    }
    LoadGeneratorMonitor monitor = new LoadGeneratorMonitor();
    StepMeasurement measured =
        measure(what, request, budget, requests, mostClients, connections, Optional.of(monitor));
    long end = budget.next();
    state.add(
        new SteadyState.Cost(
            end - from, monitor.elapsedNanos(), monitor.cpuNanos(), monitor.compileNanos()));
    warmed |= measured.successes().count() > 0;
    if (!warmed && !cancelled && !measured.errors().isEmpty()) {
      throw failure(what, end - from, measured.errors().get(0));
    }
    return end;
  }

  private static QuorateException failure(String what, long requests, ErrorTally most) {
    return new QuorateException(
        "%s failed: of %d requests, %d ended with %s: %s"
            .formatted(what, requests, most.count(), most.kind(), most.message()));
  }

  private StepMeasurement measure(
      String what,
      RequestSource request,
      RequestCounter budget,
      long requests,
      int mostClients,
      List<Connection> connections,
      Optional<LoadGeneratorMonitor> monitor) {
    boolean warms = request == workload.warmUpRequests();
    boolean opensEach = oneShot && warms;
    boolean scheduled = warms && scheduledParts.isPresent();
    int clients =
        scheduled
            ? connections.size()
            : opensEach
                ? Math.max(1, mostConnections - connections.size() - 1)
                : ClosedLoop.clients(mostClients, requests, connections);
    StepRecorder recorder =
        new StepRecorder(clients, clock, warms ? workload.operations() : List.of(what), scheduled);
    boolean isOpen = warms && scenario.requests().warmsUpByTime();
    long before = warms ? budget.next() : 0;
    phase = new SetupPhase(what, before, isOpen ? 0 : requests, recorder, budget);
    if (cancelled) {
      budget.cancel();
    }
    RateLimiter limit = new RateLimiter(warms ? workload.warmUp().rate() : OptionalLong.empty());
    Loop loop =
        scheduled
            ? scheduledParts.loop(budget, request, recorder, requests, clients)
            : opensEach
                ? new OneShotLoop(budget, request, recorder, limit, connector.join()::openOne)
                : new ClosedLoop(budget, request, recorder, limit, ThinkTime.NONE);
    monitor.ifPresent(each -> each.start(connections, recorder));
    CompletableFuture<?> end =
        loop.run(scheduled ? clients : (int) Math.min(clients, requests), connections);
    try {
      takeIntervals(end, recorder);
      end.join();
    } finally {
      monitor.ifPresent(LoadGeneratorMonitor::stop);
    }
    return recorder.measurement();
  }

  /**
   * Takes the intervals of a recorder to the end of a load, as in measured steps: when they are
   * taken for the first time, the JVM recompiles the path of a request.
   */
  private static void takeIntervals(CompletableFuture<?> end, StepRecorder recorder) {
    CountDownLatch ended = new CountDownLatch(1);
    end.whenComplete((result, failure) -> ended.countDown());
    try {
      while (!ended.await(INTERVAL_MILLIS, TimeUnit.MILLISECONDS)) {
        recorder.operations().forEach(OperationRecorder::interval);
        recorder.operations().forEach(OperationRecorder::serviceInterval);
        recorder.lagInterval();
        recorder.queueInterval();
        recorder.receiverInterval();
      }
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
    }
  }
}
