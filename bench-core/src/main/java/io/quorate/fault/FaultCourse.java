// SPDX-License-Identifier: Apache-2.0
package io.quorate.fault;

import io.quorate.DaemonThreads;
import io.quorate.QuorateException;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.Member;
import io.quorate.cluster.MemberControl;
import io.quorate.cluster.MemberProtocol;
import io.quorate.cluster.process.GuardedCommand;
import io.quorate.cluster.process.PageCache;
import io.quorate.cluster.process.PowerCutDisk;
import io.quorate.format.NumberFormats;
import io.quorate.results.FaultRecord;
import io.quorate.scenario.Fault;
import io.quorate.scenario.FaultAction;
import io.quorate.scenario.FaultAction.ProcessAction;
import io.quorate.scenario.FaultAction.Restart;
import io.quorate.scenario.FaultPlan;
import io.quorate.scenario.FaultPlan.Injection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** One fault: causes it, observes what it does to the members, and ends it. For one thread. */
final class FaultCourse {
  static final Duration POLL = Duration.ofMillis(50);

  /** Time in which the command of a user has to take effect. */
  private static final Duration CONTROL_LIMIT = Duration.ofSeconds(5);

  static final String NOT_CAUSED = "not caused, as ";
  static final String NO_EFFECT = "no effect: expected that ";
  static final String OTHER_LEADER = "another member leads";

  private final FaultMeans means;
  private final Cluster cluster;
  private final MemberProtocol protocol;
  private final StopSignal stop;
  private final long seed;

  /** Runs since the fault has begun; empty before. */
  private Optional<CompletableFuture<Void>> begun = Optional.empty();

  private Instant start = Instant.now();
  private long startNanos = System.nanoTime();
  private final List<Member> members = new ArrayList<>();
  private final CatchUp catchUp;
  private Optional<Member> leaderAfter = Optional.empty();
  private OptionalLong electedNanos = OptionalLong.empty();
  private OptionalLong servingNanos = OptionalLong.empty();
  private OptionalLong caughtUpNanos = OptionalLong.empty();

  private long endNanos = startNanos;
  private Optional<String> problem = Optional.empty();
  private Optional<String> observed = Optional.empty();

  /** Whether members start again on a disk that may lack something. */
  private boolean restarts;

  /** Members that may still end because of what their disk did. */
  private final List<Member> weakened = new ArrayList<>();

  private Optional<List<String>> notStarted = Optional.empty();

  /**
   * Creates a course.
   *
   * @param seed seed of a power cut
   */
  FaultCourse(FaultMeans means, long seed) {
    this.means = means;
    this.seed = seed;
    this.cluster = means.cluster();
    this.protocol = cluster.protocol();
    this.stop = means.stop();
    this.catchUp = new CatchUp(cluster, members);
  }

  /** Takes the time just before the first signal, order, command or request of the fault. */
  private void begin() {
    if (begun.isEmpty()) {
      start = Instant.now();
      startNanos = System.nanoTime();
      begun =
          Optional.of(
              CompletableFuture.runAsync(
                  means.begins(), work -> DaemonThreads.start("fault-begins", work)));
    }
  }

  private ProcessFaults processes() {
    return means.processes().orElseThrow();
  }

  /** Records that the fault is not caused. */
  void refuse(String why) {
    problem = Optional.of(NOT_CAUSED + why);
  }

  /**
   * Causes a fault, and ends it. If that fails, it records why and lets all members run again.
   *
   * @return why not all members run again; empty if they do
   */
  Optional<String> run(FaultPlan.Kind kind, Member leader) {
    Optional<String> unhealed = Optional.empty();
    try {
      cause(kind, leader);
    } catch (QuorateException failure) {
      problem = Optional.of(problem.orElse(failure.getMessage()));
      unhealed = means.heal();
    }
    endNanos = System.nanoTime();
    begun.ifPresent(CompletableFuture::join);
    return unhealed;
  }

  private void cause(FaultPlan.Kind kind, Member leader) {
    Fault fault = kind.fault();
    FaultAction action = fault.action();
    FaultTargets targets = new FaultTargets(cluster.members(), leader);
    if (means.commands().has(fault)) {
      command(fault, targets, kind.length());
    } else if (action instanceof Restart restart) {
      restart(restart, targets, kind.length());
    } else if (action instanceof FaultAction.Maintain) {
      maintain(kind, targets);
    } else if (action instanceof FaultAction.Task task) {
      switch (task) {
        case TRANSFER_LEADERSHIP -> transfer(targets, kind.length());
        case ADD_MEMBER -> addMember(leader, kind.length());
        case RESTORE_SNAPSHOT -> restore(leader, kind);
        case RENEW_CERTIFICATES -> renewCertificates(targets);
      }
    } else if (action instanceof FaultAction.Network disturbance) {
      members.addAll(targets.of(fault));
      disturb(disturbance, leader, kind.length());
    } else {
      members.addAll(targets.of(fault));
      affect((ProcessAction) action, leader, kind.length());
    }
  }

  private void restart(Restart action, FaultTargets targets, Duration length) {
    MemberRestarts restarted = new MemberRestarts(cluster, processes(), stop, this::begin);
    try {
      problem =
          action == Restart.STAGGERED
              ? restarted.staggered(targets, length)
              : restarted.all(targets, action == Restart.UPGRADE);
    } finally {
      members.addAll(restarted.members());
      leaderAfter = restarted.leaderAfter();
    }
  }

  private void disturb(FaultAction.Network action, Member leader, Duration length) {
    NetworkFaults network = means.network().orElseThrow();
    try (LeaderWatch watch = watch(leader)) {
      begin();
      network.begin(action, members.get(0));
      observe(watch, length);
    }
    if (!network.end()) {
      hadNoEffect(action.control());
    }
    catchUp.begin();
  }

  private void hadNoEffect(String control) {
    problem = Optional.of(NO_EFFECT + control);
  }

  private void affect(ProcessAction action, Member leader, Duration length) {
    try (LeaderWatch watch = watch(leader)) {
      if (action == ProcessAction.POWER_CUT) {
        cut();
      } else {
        for (Member each : members) {
          if (!action.impairs()) {
            begin();
          }
          processes().begin(action, each);
          begin(); // an impairment begins when strace has attached
        }
      }
      if (action == ProcessAction.KILL_COLD) {
        processes().withoutEffect(action, members); // no process writes to its files any more
        dropFiles();
      }
      observe(watch, length);
    }
    problem =
        problem.or(
            () ->
                processes()
                    .withoutEffect(action, members)
                    .map(name -> "no effect on " + name + ": expected that " + action.control()));
    countSnapshots(action);
    if (action.impairsDisk()) {
      restarts = true;
      members.stream().filter(each -> !processes().hasEnded(each)).forEach(weakened::add);
      observeEnds();
    }
    processes().heal(members);
    catchUp.begin();
  }

  private void observeEnds() {
    List<String> ends = processes().ended(members, "ended");
    observed = Optional.of(ends.isEmpty() ? "no process ended" : String.join("; ", ends));
  }

  /** Cuts the power of the members, and records how much of what was not synced that discarded. */
  private void cut() {
    restarts = true;
    List<PowerCutDisk.Loss> lost = processes().cutPower(members, seed, this::begin);
    long hit = lost.stream().filter(each -> !each.isNothing()).count();
    observed =
        Optional.of(
            "%d of %s lost something (seed %d): %s"
                .formatted(
                    hit,
                    NumberFormats.count(lost.size(), "member"),
                    seed,
                    each(lost, " lost ", PowerCutDisk.Loss::text)));
    if (hit == 0) {
      hadNoEffect(ProcessAction.POWER_CUT.control());
    }
  }

  /** Drops the files of the members from the page cache, and records how much that was. */
  private void dropFiles() {
    long before = System.nanoTime();
    List<PageCache.Share> shares = processes().dropFiles(members);
    observed =
        Optional.of(
            "%s; dropping them took %.1f s"
                .formatted(
                    each(shares, ": ", PageCache.Share::text), (System.nanoTime() - before) / 1e9));
    if (!shares.stream().allMatch(PageCache.Share::isCold)) {
      hadNoEffect(ProcessAction.KILL_COLD.control());
    }
  }

  /** Returns what was observed of each member, in words. */
  private <T> String each(List<T> observed, String verb, Function<T, String> text) {
    return IntStream.range(0, observed.size())
        .mapToObj(i -> members.get(i).name() + verb + text.apply(observed.get(i)))
        .collect(Collectors.joining("; "));
  }

  /** Asks the members that run who leads, if the leader is affected and a majority is left. */
  private LeaderWatch watch(Member leader) {
    List<Member> others =
        cluster.members().stream().filter(each -> !members.contains(each)).toList();
    boolean elects = members.contains(leader) && others.size() > cluster.members().size() / 2;
    return new LeaderWatch(elects ? others : List.of(), protocol::isLeading);
  }

  /** Waits for the length of the fault, and records who leads. */
  private void observe(LeaderWatch watch, Duration length) {
    long until = startNanos + length.toNanos();
    Optional<LeaderWatch.Seen> seen = watch.await(until, stop);
    leaderAfter = seen.map(LeaderWatch.Seen::member);
    electedNanos = seen.map(each -> OptionalLong.of(each.nanos())).orElse(OptionalLong.empty());
    stop.sleepUntil(until);
  }

  /**
   * Causes a fault by the command of a user: a member does not serve, or another one leads then.
   * The command that ends it runs in any case.
   */
  private void command(Fault fault, FaultTargets targets, Duration length) {
    members.addAll(targets.of(fault));
    GuardedCommand command = means.commands().of(fault, members, means.log());
    List<Member> others = targets.followers();
    try (LeaderWatch watch = new LeaderWatch(others, protocol::isLeading)) {
      command.begin(
          Objects.requireNonNull(means.commands().begin().get(fault)),
          this::begin,
          stop::isStopped);
      boolean effective =
          stop.await(
              () -> watch.hasSeen() || members.stream().anyMatch(each -> !protocol.isServing(each)),
              System.nanoTime() + CONTROL_LIMIT.toNanos(),
              POLL);
      if (!effective) {
        hadNoEffect("a member does not serve, or that another one leads");
      }
      observe(watch, length);
      countSnapshots(fault.action());
    } catch (QuorateException failure) {
      problem = Optional.of(failure.getMessage());
    } finally {
      end(command);
    }
    catchUp.begin();
  }

  private void end(GuardedCommand command) {
    try {
      command.end();
    } catch (QuorateException failure) {
      String why = failure.getMessage() + ", so a member may not run again";
      problem = Optional.of(problem.map(before -> before + "; " + why).orElse(why));
    }
  }

  private void transfer(FaultTargets targets, Duration length) {
    members.add(targets.leader());
    try (LeaderWatch watch = watch(targets.leader())) {
      protocol.transferLeadership(targets.leader(), targets.followers().get(0), this::begin);
      observe(watch, length);
      if (leaderAfter.isEmpty()) {
        hadNoEffect(OTHER_LEADER);
      }
    } catch (QuorateException refused) {
      refuse(refused.getMessage());
      stop.sleepUntil(System.nanoTime() + length.toNanos());
    }
  }

  private void maintain(FaultPlan.Kind kind, FaultTargets targets) {
    MaintenanceRound round = new MaintenanceRound(protocol, stop, this::begin);
    attempt(() -> round.run(kind, targets));
    members.addAll(round.members());
  }

  private void restore(Member leader, FaultPlan.Kind kind) {
    members.add(leader);
    SnapshotRestore restore =
        new SnapshotRestore(cluster.control().orElseThrow(), stop, this::begin);
    attempt(() -> restore.run(leader, MaintenanceRound.limit(kind)));
    caughtUpNanos = restore.servingNanos();
  }

  private void addMember(Member leader, Duration length) {
    MemberAddition addition =
        new MemberAddition(cluster.control().orElseThrow(), protocol, stop, this::begin);
    attempt(() -> addition.run(leader, length));
    addition.member().ifPresent(members::add);
    caughtUpNanos = addition.caughtUpNanos();
  }

  private void renewCertificates(FaultTargets targets) {
    members.addAll(targets.leaderLast());
    begin();
    attempt(
        () -> new CertificateRenewal(cluster.control().orElseThrow(), protocol, stop).run(members));
  }

  /** Records what was observed, or why it failed. */
  private void attempt(Supplier<String> work) {
    try {
      observed = Optional.of(work.get());
    } catch (QuorateException failure) {
      problem = Optional.of(failure.getMessage());
    }
  }

  /** Does not count maintenance that ended after its time, when the load may have ended. */
  void requireEnd(FaultPlan.Kind kind, long until) {
    if (kind.fault().isMaintenance() && problem.isEmpty() && endNanos > until) {
      long late = TimeUnit.NANOSECONDS.toSeconds(endNanos - until) + 1;
      problem =
          Optional.of(
              "took up to %d s longer than its time: write '%s %ds'"
                  .formatted(late, kind.fault().id(), 2 * (kind.length().toSeconds() + late)));
    }
  }

  private void countSnapshots(FaultAction action) {
    if (action == ProcessAction.KILL_FOR_SNAPSHOT) {
      catchUp.countSnapshots();
    }
  }

  /** Waits until all members serve, and the affected ones have caught up. */
  void awaitServing(long until) {
    long aftermath = System.nanoTime() + MemberControl.AFTERMATH.toNanos();
    stop.await(
        () -> {
          if (weakened.removeIf(each -> processes().noteEnd(each))) {
            observeEnds();
            Optional<String> unhealed = means.heal();
            problem = problem.or(() -> unhealed);
          }
          if (servingNanos.isEmpty() && cluster.members().stream().allMatch(protocol::isServing)) {
            servingNanos = OptionalLong.of(System.nanoTime());
          }
          boolean behind = catchUp.isNeeded() && caughtUpNanos.isEmpty();
          if (behind && catchUp.isDone()) {
            caughtUpNanos = OptionalLong.of(System.nanoTime());
            behind = false;
          }
          boolean mayEnd = !weakened.isEmpty() && System.nanoTime() - aftermath < 0;
          return servingNanos.isPresent() && !behind && !mayEnd;
        },
        until,
        POLL);
    if (restarts && servingNanos.isEmpty()) {
      notStarted =
          Optional.of(processes().ended(members, "did not start")).filter(all -> !all.isEmpty());
    }
    if (catchUp.needsSnapshot()
        && problem.isEmpty()
        && !stop.await(catchUp::sentSnapshot, until, POLL)) {
      String why = servingNanos.isPresent() ? "" : " (not all members served again in time)";
      hadNoEffect(ProcessAction.KILL_FOR_SNAPSHOT.control() + why);
    }
  }

  /** Returns what was observed; times are since the origin. */
  FaultRecord record(Injection injection, Optional<Member> leader, long until, long originNanos) {
    return new FaultRecord(
        injection.number(),
        injection.kind(),
        members.stream().map(Member::name).toList(),
        TimeUnit.SECONDS.toNanos(start.getEpochSecond()) + start.getNano(),
        startNanos - originNanos,
        endNanos - originNanos,
        Math.max(until, endNanos) - originNanos,
        leader.map(Member::name),
        leaderAfter.map(Member::name),
        since(originNanos, electedNanos),
        since(originNanos, servingNanos),
        since(originNanos, caughtUpNanos),
        problem,
        observed,
        notStarted);
  }

  private static OptionalLong since(long originNanos, OptionalLong nanos) {
    return nanos.isPresent()
        ? OptionalLong.of(nanos.getAsLong() - originNanos)
        : OptionalLong.empty();
  }
}
