package io.quorate.fault;

import io.quorate.DaemonThreads;
import io.quorate.QuorateException;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.Member;
import io.quorate.cluster.MemberControl;
import io.quorate.cluster.MemberControl.Signal;
import io.quorate.results.FaultRecord;
import io.quorate.scenario.Fault;
import io.quorate.scenario.FaultPlan;
import io.quorate.scenario.FaultPlan.Injection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Causes the faults of a plan in a cluster, on a separate thread, at their times since the
 * beginning of the load. A fault is only caused if all members serve; otherwise the reason is
 * recorded. All members run again after {@link #close}.
 */
public final class FaultInjector implements AutoCloseable {
  /** How often members are asked who leads. */
  private static final Duration ELECTION_POLL = Duration.ofMillis(10);

  private static final Duration POLL = Duration.ofMillis(50);

  /** Time in which a signal has to take effect. */
  private static final Duration CONTROL_LIMIT = Duration.ofSeconds(5);

  private static final Duration RESTART_LIMIT = Duration.ofSeconds(60);

  private final Cluster cluster;
  private final MemberControl control;
  private final List<Injection> injections;
  private final long originNanos;
  private final Runnable begins;
  private final Consumer<FaultRecord> output;
  private final Consumer<String> log;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Set<Member> paused = new LinkedHashSet<>();
  private final Set<Member> ended = new LinkedHashSet<>();
  private Thread thread;

  /** What a fault does, and what was observed. */
  private static final class Course {
    private final long startNanos = System.nanoTime();
    private final Instant start = Instant.now();
    private final List<Member> members = new ArrayList<>();
    private Optional<Member> leaderAfter = Optional.empty();
    private OptionalLong electedNanos = OptionalLong.empty();
    private OptionalLong servingNanos = OptionalLong.empty();
    private long endNanos = startNanos;
    private Optional<String> problem = Optional.empty();
  }

  /**
   * Prepares to cause faults.
   *
   * @param originNanos nano time at which the times of the records begin
   * @param begins runs just before each fault; must not block
   * @param output receives each fault after its effects
   * @param log receives a line about each fault
   */
  public FaultInjector(
      Cluster cluster,
      FaultPlan plan,
      long seed,
      long originNanos,
      Runnable begins,
      Consumer<FaultRecord> output,
      Consumer<String> log) {
    this.cluster = cluster;
    this.control =
        cluster
            .control()
            .orElseThrow(
                () ->
                    new QuorateException(
                        "faults: found a cluster that Quorate did not start on this machine"));
    this.injections = plan.injections(seed);
    this.originNanos = originNanos;
    this.begins = begins;
    this.output = output;
    this.log = log;
  }

  /** Begins; the load begins now. */
  public void start() {
    thread = DaemonThreads.start("faults", this::run);
  }

  private void run() {
    long begin = System.nanoTime();
    try {
      for (Injection each : injections) {
        long due = begin + each.at().toNanos();
        if (!sleepUntil(due - ELECTION_POLL.toNanos())) {
          return;
        }
        long until = begin + each.startOfSlot().plus(each.kind().slot()).toNanos();
        output.accept(inject(each, due, until));
      }
    } catch (QuorateException failure) {
      log.accept("no further faults: " + failure.getMessage());
    }
  }

  private FaultRecord inject(Injection injection, long due, long until) {
    Fault fault = injection.kind().fault();
    Optional<Member> leader = cluster.leader();
    Optional<String> obstacle =
        leader.isEmpty()
            ? Optional.of("no member leads")
            : cluster.members().stream()
                .filter(each -> !control.isServing(each))
                .map(each -> each.name() + " does not serve")
                .findFirst();
    sleepUntil(due);
    Course course = new Course();
    begins.run();
    if (obstacle.isPresent()) {
      course.problem = Optional.of("not caused, as " + obstacle.get());
    } else if (fault == Fault.ROLLING_RESTART) {
      restartAll(leader.get(), course);
    } else if (fault == Fault.TRANSFER_LEADER) {
      transfer(leader.get(), course, injection.kind().length());
    } else {
      course.members.addAll(targets(fault, leader.get()));
      course.members.forEach(each -> signal(each, signal(fault)));
      control(fault, course);
      observeElection(leader.get(), course, injection.kind().length());
      sleepUntil(course.startNanos + injection.kind().length().toNanos());
      heal(course.members);
    }
    course.endNanos = System.nanoTime();
    awaitServing(course, until);
    FaultRecord record = record(injection, leader, course, until);
    log.accept(text(record));
    return record;
  }

  private static Signal signal(Fault fault) {
    return fault.isPause()
        ? Signal.PAUSE
        : fault == Fault.STOP_LEADER ? Signal.TERMINATE : Signal.KILL;
  }

  private List<Member> targets(Fault fault, Member leader) {
    List<Member> followers =
        cluster.members().stream().filter(each -> each.index() != leader.index()).toList();
    int majority = cluster.members().size() / 2 + 1;
    return switch (fault) {
      case KILL_LEADER, STOP_LEADER, PAUSE_LEADER, TRANSFER_LEADER -> List.of(leader);
      case KILL_FOLLOWER, PAUSE_FOLLOWER -> followers.subList(0, 1);
      case KILL_MAJORITY -> {
        List<Member> most = new ArrayList<>(List.of(leader));
        most.addAll(followers.subList(0, majority - 1));
        yield most;
      }
      case KILL_ALL, ROLLING_RESTART -> cluster.members();
    };
  }

  private synchronized void signal(Member member, Signal signal) {
    (signal == Signal.PAUSE ? paused : ended).add(member);
    control.send(member, signal);
  }

  private void control(Fault fault, Course course) {
    for (Member each : course.members) {
      boolean observed =
          await(
              () -> fault.isPause() ? control.isPaused(each) : control.hasEnded(each),
              System.nanoTime() + CONTROL_LIMIT.toNanos(),
              ELECTION_POLL);
      if (!observed) {
        course.problem =
            Optional.of("no effect on " + each.name() + ": expected that " + fault.control());
      }
    }
  }

  /** Polls the members that run who leads, if the leader is affected and a majority is left. */
  private void observeElection(Member leader, Course course, Duration length) {
    List<Member> others =
        cluster.members().stream().filter(each -> !course.members.contains(each)).toList();
    if (!course.members.contains(leader) || others.size() <= cluster.members().size() / 2) {
      return;
    }
    await(
        () -> {
          course.leaderAfter = others.stream().filter(control::isLeading).findFirst();
          return course.leaderAfter.isPresent();
        },
        course.startNanos + length.toNanos(),
        ELECTION_POLL);
    if (course.leaderAfter.isPresent()) {
      course.electedNanos = OptionalLong.of(System.nanoTime());
    }
  }

  private void transfer(Member leader, Course course, Duration length) {
    course.members.add(leader);
    Member successor =
        cluster.members().stream()
            .filter(each -> each.index() != leader.index())
            .findFirst()
            .orElseThrow();
    try {
      control.transferLeadership(leader, successor);
      observeElection(leader, course, length);
      if (course.leaderAfter.isEmpty()) {
        course.problem = Optional.of("no effect: expected that " + Fault.TRANSFER_LEADER.control());
      }
    } catch (QuorateException refused) {
      course.problem = Optional.of("not caused, as " + refused.getMessage());
    }
    sleepUntil(course.startNanos + length.toNanos());
  }

  private void restartAll(Member leader, Course course) {
    List<Member> order =
        new ArrayList<>(
            cluster.members().stream().filter(each -> each.index() != leader.index()).toList());
    order.add(leader);
    for (Member each : order) {
      course.members.add(each);
      signal(each, Signal.TERMINATE);
      long limit = System.nanoTime() + RESTART_LIMIT.toNanos();
      if (!await(() -> control.hasEnded(each), limit, POLL)) {
        course.problem = Optional.of(each.name() + " did not end");
        return;
      }
      heal(List.of(each));
      if (!await(() -> control.isServing(each), limit, POLL)) {
        course.problem = Optional.of(each.name() + " does not serve after its restart");
        return;
      }
    }
  }

  /** Resumes members that were paused, and starts those that have ended. */
  private synchronized void heal(List<Member> members) {
    for (Member each : members) {
      if (paused.remove(each)) {
        control.send(each, Signal.RESUME);
      }
      if (ended.remove(each)) {
        await(
            () -> control.hasEnded(each),
            System.nanoTime() + CONTROL_LIMIT.toNanos(),
            ELECTION_POLL);
        control.restart(each);
      }
    }
  }

  private void awaitServing(Course course, long until) {
    boolean all = await(() -> cluster.members().stream().allMatch(control::isServing), until, POLL);
    if (all) {
      course.servingNanos = OptionalLong.of(System.nanoTime());
    }
  }

  private FaultRecord record(
      Injection injection, Optional<Member> leader, Course course, long until) {
    return new FaultRecord(
        injection.number(),
        injection.kind(),
        course.members.stream().map(Member::name).toList(),
        TimeUnit.SECONDS.toNanos(course.start.getEpochSecond()) + course.start.getNano(),
        course.startNanos - originNanos,
        course.endNanos - originNanos,
        Math.max(until, course.endNanos) - originNanos,
        leader.map(Member::name),
        course.leaderAfter.map(Member::name),
        sinceOrigin(course.electedNanos),
        sinceOrigin(course.servingNanos),
        course.problem);
  }

  private OptionalLong sinceOrigin(OptionalLong nanos) {
    return nanos.isPresent()
        ? OptionalLong.of(nanos.getAsLong() - originNanos)
        : OptionalLong.empty();
  }

  private String text(FaultRecord record) {
    String elected =
        record.electedNanos().isPresent()
            ? ", %s leads after %d ms"
                .formatted(
                    record.leaderAfter().orElseThrow(),
                    TimeUnit.NANOSECONDS.toMillis(
                        record.electedNanos().getAsLong() - record.startNanos()))
            : "";
    return "fault %d of %d: %s%s%s"
        .formatted(
            record.number(),
            injections.size(),
            record.kind(),
            record.members().isEmpty() ? "" : " (" + String.join(", ", record.members()) + ")",
            record.problem().map(why -> ": " + why).orElse(elected));
  }

  /** Returns false if this was closed meanwhile. */
  private boolean sleepUntil(long nanos) {
    try {
      return !stopped.await(nanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private boolean await(BooleanSupplier condition, long deadline, Duration poll) {
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0 || !sleepUntil(System.nanoTime() + poll.toNanos())) {
        return false;
      }
    }
    return true;
  }

  /**
   * Causes no further fault, and lets all members run again; waits until they serve, up to a limit.
   * Idempotent.
   */
  @Override
  public void close() {
    stopped.countDown();
    if (thread == null) {
      return;
    }
    try {
      thread.join(RESTART_LIMIT.toMillis());
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
    }
    heal(List.copyOf(cluster.members()));
  }
}
