// SPDX-License-Identifier: Apache-2.0
package io.quorate.recipe;

import io.quorate.DaemonThreads;
import io.quorate.QuorateException;
import io.quorate.RunPart;
import io.quorate.format.NumberFormats;
import io.quorate.load.Load;
import io.quorate.load.workload.Recipes;
import io.quorate.load.workload.Workload;
import io.quorate.measure.WatchRecorder;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.LockRecord;
import io.quorate.results.SessionRecord;
import io.quorate.scenario.OperationMix;
import io.quorate.scenario.Step;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.LockClient;
import io.quorate.store.Locks;
import io.quorate.store.Operation;
import io.quorate.store.Session;
import io.quorate.store.SessionListener;
import io.quorate.store.Sessions;
import io.quorate.store.StoreClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the operations of sessions of a run: locks, elections, registrations and expirations.
 * The clients of a step are opened before it and closed after it, each with a session. What they
 * observe is passed on once a second, and at the end of a step.
 */
public final class SessionRecipes implements Recipes, RunPart {
  /** Most locks that are recorded, so that their file can be read; each step has an equal part. */
  private static final int MOST_RECORDS = 300_000;

  private static final int OPENING_AT_ONCE = 16;
  private static final int STEPS_AT_ONCE = 2;

  /** Time after which operations of a cancelled load end, whatever they wait for. */
  private static final int PATIENCE_SECONDS = 2;

  private final Load load;
  private final OperationMix mix;
  private final int members;

  /** The clients of locks; empty if no operation takes some. */
  private final Optional<Locks> locks;

  /** The sessions of registrations and expirations; empty if there are none. */
  private final Optional<Sessions> sessions;

  private final DatabaseDirectory directory;
  private final Consumer<String> say;
  private final long originNanos;
  private final RecipeClients<LockClient> lockHolders = new RecipeClients<>(this);
  private final RecipeClients<Session> registered = new RecipeClients<>(this);
  private final Expirations expirations;

  /** Most locks of a step that are recorded. */
  private final int mostOfStep;

  /** Locks of the present step. */
  private final AtomicLong locksHeld = new AtomicLong();

  private final AtomicLong unrecorded = new AtomicLong();
  private final Queue<LockRecord> records = new ConcurrentLinkedQueue<>();
  private final ExecutorService openers =
      Executors.newFixedThreadPool(OPENING_AT_ONCE, DaemonThreads.named("recipe-opener"));

  /** Runs what follows a time; it does not block, unlike the opening of sessions. */
  private final ExecutorService steps =
      Executors.newFixedThreadPool(STEPS_AT_ONCE, DaemonThreads.named("recipe-steps"));

  private final ScheduledExecutorService clock = DaemonThreads.clock("recipes");

  /** The recorder of the watchers of the present step; null without watchers. */
  private volatile @Nullable WatchRecorder watchers;

  /** When the last leader began to resign, or died, by the nano clock; 0 before that. */
  private volatile long leaderlessNanos;

  private final PendingOperations pending = new PendingOperations();

  /** Seconds since the load was cancelled. */
  private int secondsCancelled;

  /** Why something could not be passed on; null if all was. */
  private volatile @Nullable QuorateException unwritten;

  private volatile boolean closed;

  /**
   * Opens the clients of a load; once that is cancelled, all operations end soon.
   *
   * @param members settings of the members, over which the clients are spread
   * @param directory directory for the files of what the clients observe
   */
  public SessionRecipes(
      Load load,
      OperationMix mix,
      StoreClient client,
      List<DriverSettings> members,
      DatabaseDirectory directory,
      Consumer<String> say) {
    this.load = load;
    this.mix = mix;
    this.mostOfStep = MOST_RECORDS / load.steps().size();
    this.members = members.size();
    Duration ttl = Duration.ofSeconds(plan().ttlSeconds());
    if (mix.has(Operation.ELECT)) {
      this.locks = Optional.of(client.elections(members, ttl));
    } else if (mix.has(Operation.LOCK)) {
      this.locks = Optional.of(client.locks(members, ttl));
    } else {
      this.locks = Optional.empty();
    }
    this.sessions =
        mix.has(Operation.REGISTER) || mix.has(Operation.EXPIRE)
            ? Optional.of(client.sessions(members, ttl))
            : Optional.empty();
    this.directory = directory;
    this.say = say;
    this.originNanos = System.nanoTime();
    this.expirations =
        new Expirations(
            (number, listener) ->
                sessions.orElseThrow().open((int) (number % this.members), listener),
            () -> client.subscribe(members.get(0)),
            workload().prefix(),
            originNanos);
    workload().carriedOutBy(this);
    clock.scheduleWithFixedDelay(this::everySecond, 1, 1, TimeUnit.SECONDS);
  }

  OperationMix.Sessions plan() {
    return mix.sessions().orElseThrow();
  }

  Workload workload() {
    return load.workload();
  }

  @Nullable WatchRecorder watchers() {
    return watchers;
  }

  long leaderlessNanos() {
    return leaderlessNanos;
  }

  void leaderless(long nanos) {
    leaderlessNanos = nanos;
  }

  /** Returns the threads that open sessions. */
  ExecutorService openers() {
    return openers;
  }

  boolean isClosed() {
    return closed;
  }

  /** Returns whether no further session is to be opened. */
  boolean isStopped() {
    return closed || load.isCancelled();
  }

  /** Returns the present time, in nanoseconds since the beginning of the records. */
  long now() {
    return System.nanoTime() - originNanos;
  }

  /** Keeps a record, up to the greatest number of a step. */
  void add(LockRecord held) {
    if (locksHeld.incrementAndGet() <= mostOfStep) {
      records.add(held);
    } else {
      unrecorded.incrementAndGet();
    }
  }

  /**
   * Opens the clients of a step. Blocks until all have a session.
   *
   * @throws QuorateException if a session cannot be opened within 60 s
   */
  @Override
  public void prepareStep(int step) {
    Step planned = load.steps().get(step - 1).step();
    int count = planned.clients();
    leaderlessNanos = 0;
    locksHeld.set(0);
    if (mix.has(Operation.EXPIRE)) {
      expirations.begin(step, planned.isOpen() ? 1 : count); // clients abandon sessions together
    }
    locks.ifPresent(
        each ->
            lockHolders.open(
                step,
                count,
                client -> each.open(client.number() % members, client),
                LockClient::close));
    if (mix.has(Operation.REGISTER)) {
      registered.open(
          step,
          count,
          client -> sessions.orElseThrow().open(client.number() % members, client),
          Session::close);
    }
  }

  /** Closes the clients of a step, and passes on what they observed. */
  @Override
  public void stepEnded(int step) {
    end();
  }

  private void end() {
    watchers = null;
    lockHolders.close();
    registered.close();
    expirations.end();
    passOn();
  }

  private void everySecond() {
    expirations.look();
    passOn();
    if (load.isCancelled() && ++secondsCancelled > PATIENCE_SECONDS) {
      pending.failAll("the load was cancelled");
    }
  }

  @Override
  public void finish() {
    if (unrecorded.get() > 0) {
      say.accept(
          "locks.jsonl has the first %s locks of each step, not %s later ones"
              .formatted(NumberFormats.commas(mostOfStep), NumberFormats.commas(unrecorded.get())));
    }
    close();
    if (unwritten != null) {
      throw unwritten;
    }
  }

  private synchronized void passOn() {
    try {
      passOnAll();
    } catch (QuorateException failed) {
      unwritten = failed;
    }
  }

  private void passOnAll() {
    List<LockRecord> held = new ArrayList<>();
    for (LockRecord each = records.poll(); each != null; each = records.poll()) {
      held.add(each);
    }
    if (!held.isEmpty()) {
      LockRecord.FILE.append(directory, held);
    }
    List<SessionRecord> ended = expirations.ended();
    if (!ended.isEmpty()) {
      SessionRecord.FILE.append(directory, ended);
    }
  }

  @Override
  public void watchedBy(WatchRecorder recorder) {
    watchers = recorder;
  }

  @Override
  public void begin(Operation operation, long index, Connection connection, Completion whole) {
    Completion completion = pending.add(whole);
    switch (operation) {
      case EXPIRE -> openers.execute(() -> expirations.expire(index, completion));
      case REGISTER ->
          registered.take(client -> new Registration(this, client, index, completion).begin());
      default ->
          lockHolders.take(
              client ->
                  new LockTurn(
                          this, client, operation == Operation.ELECT, index, connection, completion)
                      .begin());
    }
  }

  /** Runs a step after a time; at once if that is zero. */
  void later(Duration time, Runnable step) {
    if (time.isZero()) {
      step.run();
      return;
    }
    try {
      clock.schedule(() -> steps.execute(step), time.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException afterClose) {
      return;
    }
  }

  RecipeClients<LockClient> lockHolders() {
    return lockHolders;
  }

  RecipeClients<Session> registered() {
    return registered;
  }

  /** Ends everything. Idempotent. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    clock.shutdownNow();
    end();
    pending.failAll("closed");
    openers.shutdown();
    steps.shutdown();
    locks.ifPresent(Locks::close);
    sessions.ifPresent(Sessions::close);
  }

  /** Opens a session at a member that its number selects. */
  interface SessionOpener {
    Session open(long number, SessionListener listener);
  }
}
