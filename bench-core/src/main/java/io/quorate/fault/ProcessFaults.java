package io.quorate.fault;

import io.quorate.cluster.Member;
import io.quorate.cluster.MemberControl;
import io.quorate.cluster.MemberControl.Signal;
import io.quorate.scenario.Fault;
import io.quorate.store.Store;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The faults of the processes of members: those that were paused or ended, until they heal. */
final class ProcessFaults {
  private static final Duration POLL = Duration.ofMillis(10);

  /** Time in which a signal has to take effect; etcd takes some seconds to stop. */
  private static final Duration LIMIT = Duration.ofSeconds(15);

  private final MemberControl control;
  private final StopSignal stop;
  private final Set<Member> paused = new LinkedHashSet<>();
  private final Set<Member> ended = new LinkedHashSet<>();

  ProcessFaults(MemberControl control, StopSignal stop) {
    this.control = control;
    this.stop = stop;
  }

  /** Returns the signal that causes a fault. */
  static Signal signal(Fault fault) {
    return fault.isPause()
        ? Signal.PAUSE
        : fault == Fault.STOP_LEADER ? Signal.TERMINATE : Signal.KILL;
  }

  synchronized void send(Member member, Signal signal) {
    (signal == Signal.PAUSE ? paused : ended).add(member);
    control.send(member, signal);
  }

  /** Waits until a signal took effect; returns the name of the member where it did not. */
  Optional<String> withoutEffect(Fault fault, List<Member> members) {
    return members.stream()
        .filter(
            each ->
                !stop.await(
                    () -> fault.isPause() ? control.isPaused(each) : control.hasEnded(each),
                    System.nanoTime() + LIMIT.toNanos(),
                    POLL))
        .map(Member::name)
        .findFirst();
  }

  boolean hasEnded(Member member) {
    return control.hasEnded(member);
  }

  /** Resumes members that were paused, and starts those that have ended. */
  synchronized void heal(List<Member> members) {
    for (Member each : members) {
      if (paused.remove(each)) {
        control.send(each, Signal.RESUME);
      }
      if (ended.remove(each)) {
        stop.await(() -> control.hasEnded(each), System.nanoTime() + LIMIT.toNanos(), POLL);
        control.restart(each);
      }
    }
  }

  /** Starts a member that has ended in another version. */
  synchronized void upgrade(Member member, Store version) {
    ended.remove(member);
    control.upgrade(member, version);
  }
}
