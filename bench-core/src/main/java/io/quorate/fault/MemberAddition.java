// SPDX-License-Identifier: Apache-2.0
package io.quorate.fault;

import io.quorate.QuorateException;
import io.quorate.cluster.Member;
import io.quorate.cluster.MemberControl;
import io.quorate.cluster.MemberControl.FurtherMember;
import io.quorate.cluster.MemberProtocol;
import io.quorate.format.NumberFormats;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Adds a member to a cluster that serves, waits until it has caught up and has its role, and
 * removes it again. Nothing of it is left after {@link #run}. For one thread.
 */
final class MemberAddition {
  /** Shortest time limit to catch up, to take its role, and to leave, each. */
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  private final MemberControl control;
  private final MemberProtocol protocol;
  private final StopSignal stop;
  private final Runnable begins;
  private long startNanos;
  private Optional<Member> member = Optional.empty();
  private OptionalLong caughtUpNanos = OptionalLong.empty();
  private String refusal = "";

  /**
   * @param begins runs just before the member joins, when its times begin
   */
  MemberAddition(MemberControl control, MemberProtocol protocol, StopSignal stop, Runnable begins) {
    this.control = control;
    this.protocol = protocol;
    this.stop = stop;
    this.begins = begins;
  }

  /** Returns the member that was added; empty if it was not started. */
  Optional<Member> member() {
    return member;
  }

  /** Returns when it had applied what the leader had applied before its start; empty if never. */
  OptionalLong caughtUpNanos() {
    return caughtUpNanos;
  }

  /**
   * Adds a member, and removes it.
   *
   * @param length time after which it leaves, if it has its role before
   * @return what was observed, in words
   * @throws QuorateException if it does not get its role, or is not removed
   */
  String run(Member leader, Duration length) {
    try (FurtherMember further = control.further(leader)) {
      long goal = protocol.applied(leader);
      begins.run();
      startNanos = System.nanoTime();
      long until = startNanos + length.toNanos();
      further.join();
      Member joined = further.member();
      member = Optional.of(joined);
      await(
          further,
          () -> goal > 0 ? protocol.applied(joined) >= goal : protocol.isServing(joined),
          until,
          "did not catch up");
      caughtUpNanos = OptionalLong.of(System.nanoTime());
      await(further, () -> hasRole(further), until, "did not become " + further.lastRole());
      String settled = further.lastRole() + " after " + sinceStart();
      String size = further.size().map(text -> text + "; ").orElse("");
      stop.sleepUntil(until);
      further.leave();
      if (!stop.await(further::hasLeft, System.nanoTime() + LIMIT.toNanos(), FaultCourse.POLL)) {
        throw new QuorateException(further.name() + " was not removed from the cluster in time");
      }
      return "%s: %scaught up after %s, %s, removed after %s"
          .formatted(
              further.name(), size, seconds(caughtUpNanos.getAsLong()), settled, sinceStart());
    }
  }

  private boolean hasRole(FurtherMember further) {
    refusal = further.takeRole().orElse("");
    return refusal.isEmpty();
  }

  private void await(
      FurtherMember further, BooleanSupplier condition, long until, String otherwise) {
    refusal = "";
    long deadline = Math.max(until, System.nanoTime() + LIMIT.toNanos());
    if (!stop.await(condition, deadline, FaultCourse.POLL)) {
      throw new QuorateException(
          "%s %s%s%s"
              .formatted(
                  further.name(),
                  otherwise,
                  further.hasEnded() ? ", as its process has ended" : " in time",
                  refusal.isEmpty() ? "" : ": " + refusal));
    }
  }

  private String sinceStart() {
    return seconds(System.nanoTime());
  }

  private String seconds(long nanos) {
    return NumberFormats.fixed((nanos - startNanos) / NANOS_PER_SECOND, 2) + " s";
  }
}
