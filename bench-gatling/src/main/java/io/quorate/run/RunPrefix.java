// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import io.quorate.DaemonThreads;
import io.quorate.Pause;
import io.quorate.QuorateException;
import io.quorate.RunPart;
import io.quorate.VisibleText;
import io.quorate.cluster.Member;
import io.quorate.cluster.MemberProtocol;
import io.quorate.fault.Survivors;
import io.quorate.format.NumberFormats;
import io.quorate.load.Connector;
import io.quorate.load.Load;
import io.quorate.load.workload.KeyRemoval;
import io.quorate.load.workload.RunMark;
import io.quorate.results.manifest.ServerInfo;
import io.quorate.scenario.CapacityGoal;
import io.quorate.scenario.FaultPlan;
import io.quorate.scenario.LoadShare;
import io.quorate.scenario.Shard;
import io.quorate.store.Endpoint;
import io.quorate.store.Operation;
import io.quorate.store.Store;
import io.quorate.store.server.ServerProtocol;
import io.quorate.stores.Stores;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The prefix of all keys that a run has in an existing cluster: {@code quorate/RUN/}, or {@code
 * quorate/RUN/SHARD/}. Announces the keys before the first request, and removes them afterwards,
 * once. Safe for several threads.
 */
public final class RunPrefix implements RunPart {
  private static final String ROOT = ServerProtocol.KEYS;

  /** Length of the names of runs. */
  public static final int NAME_LENGTH = 6;

  /** Time limit for removing the keys when the process is ending. */
  static final long PATIENCE_SECONDS = TimeUnit.MINUTES.toSeconds(5);

  /** Time limit for requests in flight when the process is ending. */
  static final Duration LAST_REQUESTS_LIMIT = Duration.ofSeconds(5);

  /** Time in which a member that continues after a fault carries out earlier requests. */
  private static final Duration LATE_REQUESTS = Duration.ofSeconds(2);

  private static final Duration BETWEEN_LINES = Duration.ofSeconds(2);

  /** Time between two marks of a run that is alive. */
  private static final Duration ALIVE = Duration.ofMinutes(10);

  private final ScheduledExecutorService alive = DaemonThreads.clock("quorate-run-mark");

  private final RunContext run;
  private final Connector connector;
  private final boolean keep;
  private Optional<Supplier<List<String>>> silentAfterFaults = Optional.empty();
  private ServerInfo.RunKeys keys;
  private long toldNanos;
  private boolean done;

  /** Announces the keys, including keys of a search, and prepares the servers for them. */
  RunPrefix(String text, RunContext run, Connector connector) {
    this.run = run;
    this.connector = connector;
    this.keep = run.settings().servers().keepKeys();
    List<Endpoint> members = run.cluster().members().stream().map(Member::endpoint).toList();
    this.keys =
        new ServerInfo.RunKeys(
            text,
            ServerInfo.RunKeys.State.WRITTEN,
            Stores.servers(run.database()).removal(members.get(0), connector.access(), text));
    run.say(announcement(members));
    requireSpace();
    KeyRemoval.enter(connector, run.database().capabilities().range(), text);
    run.record().add(manifest -> manifest.withKeys(keys));
    if (Stores.servers(run.database()).marksRuns()) {
      RunMark.of(text).write(connector, Instant.now());
      alive.scheduleAtFixedRate(this::mark, ALIVE.toSeconds(), ALIVE.toSeconds(), TimeUnit.SECONDS);
    }
  }

  private void mark() {
    try {
      RunMark.of(keys.prefix()).write(connector, Instant.now());
    } catch (QuorateException notNow) {
      // as during a fault; only an hour without it means that the run has ended
    }
  }

  /** Announces the growth of a database with history, and refuses too much of it. */
  private void requireSpace() {
    MemberProtocol protocol = new MemberProtocol(run.database(), connector.access());
    protocol
        .space(run.cluster().members())
        .ifPresent(
            space -> {
              Duration search =
                  run.settings()
                      .capacityGoal()
                      .map(goal -> RunPreview.time(goal, 1))
                      .orElse(Duration.ZERO);
              var growth =
                  DatabaseGrowth.of(run.share(), run.load().mostKeys(), preloaded(), search);
              run.say(growth.text(space));
              if (!run.settings().servers().yes()) {
                QuorateException.throwIf(growth.obstacle(space));
              }
            });
  }

  private long preloaded() {
    return run.settings().capacityGoal().map(CapacityGoal::preloadBytes).orElse(List.of()).stream()
        .mapToLong(Long::longValue)
        .max()
        .orElse(0);
  }

  /**
   * Returns the prefix of a run.
   *
   * @param chroot beginning of all keys; usually empty
   */
  public static String of(String chroot, String name, Shard shard) {
    int digits = String.valueOf(shard.count()).length();
    String number = String.valueOf(shard.number());
    return chroot
        + ROOT
        + name
        + "/"
        + (shard.isWhole() ? "" : "0".repeat(digits - number.length()) + number + "/");
  }

  /** Returns the reason why a load cannot run on an existing cluster; empty if it can. */
  public static Optional<String> obstacle(LoadShare load, String chroot, int nameLength) {
    if (load.wholeScenario().requests().mix().has(Operation.COMPACT)) {
      return Optional.of(
          "scenario %s: 'compact' discards the history of all keys of the cluster, not only of this run. Leave out --endpoints, so that the run starts its own servers."
              .formatted(load.wholeScenario().heading().name()));
    }
    int digits = load.keyDigits();
    int prefix = of(chroot, "x".repeat(nameLength), load.shard()).length();
    int size = load.wholeScenario().requests().keys().sizeBytes();
    if (digits == 0 || prefix + digits <= size) {
      return Optional.empty();
    }
    return Optional.of(
        "scenario %s: keys of %d bytes are too short for an existing cluster, where all keys of a run begin with %s (%d bytes) and need %d digits. Set 'keys: size' of the scenario to at least %d, choose a shorter name of the run with --run-name, or leave out --endpoints, so that the run starts its own servers."
            .formatted(
                load.wholeScenario().heading().name(),
                size,
                of(chroot, "x".repeat(nameLength), load.shard()),
                prefix,
                digits,
                prefix + digits));
  }

  private String announcement(List<Endpoint> members) {
    Load load = run.load();
    Optional<FaultPlan> faults = run.scenario().faults();
    long most =
        load.mostKeys() + faults.map(plan -> Survivors.mostKeys(plan, members.size())).orElse(0L);
    long preloaded = preloaded();
    String more =
        preloaded == 0
            ? ""
            : ", and " + NumberFormats.humanizedBytes(preloaded) + " more for the search";
    return "writes at most %s keys (%s%s) below %s to the existing cluster at %s, and %s"
        .formatted(
            NumberFormats.commas(most),
            NumberFormats.humanizedBytes(most * load.bytesPerKey()),
            more,
            keys.prefix(),
            members.stream().map(Endpoint::toString).collect(Collectors.joining(", ")),
            keep ? "keeps them" : "removes them afterwards (--keep-keys keeps them)");
  }

  /**
   * Removes the keys, unless they are kept; reports and records the outcome. Idempotent; waits for
   * a removal by another thread.
   */
  @Override
  public synchronized void close() {
    if (done) {
      return;
    }
    done = true;
    alive.shutdownNow();
    if (keep) {
      ended(ServerInfo.RunKeys.State.KEPT);
      return;
    }
    toldNanos = System.nanoTime();
    try {
      run(
          run.load().removal(LAST_REQUESTS_LIMIT),
          connector,
          run.database(),
          silentAfterFaults.isPresent(),
          this::progress);
      List<String> silent = silentAfterFaults.map(Supplier::get).orElse(List.of());
      if (!silent.isEmpty()) {
        run.say(
            "%s did not serve again after a fault, and may write keys of this run when it does"
                .formatted(String.join(", ", silent)));
      }
      ended(silent.isEmpty() ? ServerInfo.RunKeys.State.REMOVED : ServerInfo.RunKeys.State.LEFT);
    } catch (QuorateException failure) {
      run.say("the keys cannot be removed: " + VisibleText.of(failure.getMessage()));
      ended(ServerInfo.RunKeys.State.LEFT);
    }
  }

  /** Removes keys; after faults also those that members write when they continue. */
  static void run(
      KeyRemoval removal,
      Connector connector,
      Store database,
      boolean afterFaults,
      LongConsumer progress) {
    removal.run(connector, database.capabilities(), progress);
    if (afterFaults) {
      Pause.of(LATE_REQUESTS, "late requests");
      removal.ofLateRequests().run(connector, database.capabilities(), progress);
    }
    if (Stores.servers(database).marksRuns()) {
      RunMark.of(removal.prefix()).remove(connector);
    }
  }

  /**
   * Expects faults, after which members carry out earlier requests: keys are removed twice.
   *
   * @param silent returns the members that did not serve again
   */
  void expectFaults(Supplier<List<String>> silent) {
    silentAfterFaults = Optional.of(silent);
  }

  private void progress(long removed) {
    if (System.nanoTime() - toldNanos > BETWEEN_LINES.toNanos()) {
      toldNanos = System.nanoTime();
      run.say(
          "removing the keys below %s: %s removed"
              .formatted(keys.prefix(), NumberFormats.commas(removed)));
    }
  }

  private void ended(ServerInfo.RunKeys.State state) {
    keys = keys.with(state);
    run.say(keys.text());
    run.record().add(manifest -> manifest.withKeys(keys));
  }
}
