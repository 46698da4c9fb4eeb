// SPDX-License-Identifier: Apache-2.0
package io.quorate.fault;

import io.quorate.cluster.Member;
import io.quorate.cluster.MemberControl;
import io.quorate.cluster.MemberControl.Impairment;
import io.quorate.cluster.MemberControl.Signal;
import io.quorate.cluster.process.PageCache;
import io.quorate.cluster.process.PowerCutDisk;
import io.quorate.format.Problems;
import io.quorate.scenario.FaultAction.ProcessAction;
import io.quorate.store.Store;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** The faults of the processes of members: paused, ended and impaired ones, until they heal. */
final class ProcessFaults {
  private static final Duration POLL = Duration.ofMillis(10);

  /** Time in which a signal has to take effect; etcd takes some seconds to stop. */
  private static final Duration LIMIT = Duration.ofSeconds(15);

  private final MemberControl control;
  private final StopSignal stop;
  private final Set<Member> paused = new LinkedHashSet<>();
  private final Set<Member> ended = new LinkedHashSet<>();
  private final Map<Member, Impairment> impaired = new LinkedHashMap<>();

  ProcessFaults(MemberControl control, StopSignal stop) {
    this.control = control;
    this.stop = stop;
  }

  /**
   * Lets a fault begin in a member.
   *
   * @throws io.quorate.QuorateException if it cannot be caused
   */
  synchronized void begin(ProcessAction action, Member member) {
    switch (action) {
      case KILL, KILL_COLD, KILL_FOR_SNAPSHOT -> send(member, Signal.KILL);
      case POWER_CUT -> throw new IllegalArgumentException("members lose their power together");
      case TERMINATE -> send(member, Signal.TERMINATE);
      case PAUSE -> send(member, Signal.PAUSE);
      case SLOW_SYNCS -> impaired.put(member, control.slowSyncs(member));
      case SLOW_DISK -> impairDisk(member, PowerCutDisk.Defect.SLOW);
      case FULL_DISK -> impairDisk(member, PowerCutDisk.Defect.FULL);
      case FAILING_SYNCS -> impairDisk(member, PowerCutDisk.Defect.FAILING);
      case BLOCKED_LOG -> impaired.put(member, control.blockLog(member));
    }
  }

  private void impairDisk(Member member, PowerCutDisk.Defect defect) {
    impaired.put(member, control.impairDisk(member, defect));
  }

  /** Cuts the power of members; returns what was lost, in their order. */
  synchronized List<PowerCutDisk.Loss> cutPower(List<Member> members, long seed, Runnable begins) {
    ended.addAll(members);
    return control.cutPower(members, seed, begins);
  }

  /** Drops the files of members that have ended from the page cache; returns how much is left. */
  List<PageCache.Share> dropFiles(List<Member> members) {
    return members.stream().map(control::dropFiles).toList();
  }

  /** Returns whether a member has ended, and lets the next {@link #heal} start it then. */
  synchronized boolean noteEnd(Member member) {
    return control.hasEnded(member) && ended.add(member);
  }

  synchronized void send(Member member, Signal signal) {
    (signal == Signal.PAUSE ? paused : ended).add(member);
    control.send(member, signal);
  }

  /** Waits until a fault took effect; returns the name of the member where it did not. */
  Optional<String> withoutEffect(ProcessAction action, List<Member> members) {
    return members.stream()
        .filter(
            each ->
                !stop.await(
                    () -> isObserved(action, each), System.nanoTime() + LIMIT.toNanos(), POLL))
        .map(Member::name)
        .findFirst();
  }

  private boolean isObserved(ProcessAction action, Member member) {
    if (action.impairs()) {
      return Objects.requireNonNull(impaired.get(member)).isObserved();
    }
    return action == ProcessAction.PAUSE ? control.isPaused(member) : control.hasEnded(member);
  }

  boolean hasEnded(Member member) {
    return control.hasEnded(member);
  }

  /**
   * Resumes members that were paused, starts those that have ended, and ends impairments. What
   * fails is tried again by the next call.
   *
   * @throws io.quorate.QuorateException with everything that failed, after all was tried
   */
  synchronized void heal(List<Member> members) {
    Problems problems = new Problems();
    for (Member each : members) {
      if (impaired.containsKey(each)) {
        problems.attempt(
            () -> {
              Impairment impairment = Objects.requireNonNull(impaired.get(each));
              impairment.close();
              impaired.remove(each);
              if (impairment.mayEndProcess() && control.hasEnded(each)) {
                ended.add(each);
              }
            });
      }
      if (paused.contains(each)) {
        problems.attempt(
            () -> {
              control.send(each, Signal.RESUME);
              paused.remove(each);
            });
      }
      if (ended.contains(each)) {
        problems.attempt(
            () -> {
              new StopSignal()
                  .await(() -> control.hasEnded(each), System.nanoTime() + LIMIT.toNanos(), POLL);
              control.restart(each);
              ended.remove(each);
            });
      }
    }
    problems.throwIfAny();
  }

  /** Starts a member that has ended in another version. */
  synchronized void upgrade(Member member, Store version) {
    ended.remove(member);
    control.upgrade(member, version);
  }

  /** Returns which members have ended, and what they logged last; empty if all run. */
  List<String> ended(List<Member> members, String verb) {
    return members.stream()
        .filter(this::hasEnded)
        .map(
            each ->
                "%s %s: %s"
                    .formatted(
                        each.name(), verb, control.lastLogLine(each).orElse("it logged nothing")))
        .toList();
  }
}
