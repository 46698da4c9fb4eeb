// SPDX-License-Identifier: Apache-2.0
package io.quorate.fault;

import io.quorate.DaemonThreads;
import io.quorate.Pause;
import io.quorate.QuorateException;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.Member;
import io.quorate.results.FaultRecord;
import io.quorate.scenario.Fault;
import io.quorate.scenario.FaultPlan;
import io.quorate.scenario.FaultPlan.Injection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Causes the faults of a plan in a cluster, on a separate thread, at their times since the
 * beginning of the load. A fault is only caused if all members serve, and if they were left alone
 * before for the quiet time of the plan; otherwise the reason is recorded. All members run again
 * after {@link #close}.
 */
public final class FaultInjector implements AutoCloseable {
  /** Time before a fault in which the members are asked for their state. */
  private static final Duration HEALTH_CHECK = Duration.ofMillis(10);

  private static final Duration POLL = Duration.ofMillis(50);

  private static final Duration RESTART_LIMIT = Duration.ofSeconds(60);

  /** Time limit for the end of a fault, whose command may take a minute. */
  private static final Duration END_LIMIT = Duration.ofSeconds(90);

  /** Distance of the seeds of two runs, which is more than the number of faults. */
  private static final long SEEDS = 1_000_003;

  private final FaultMeans means;
  private final Cluster cluster;
  private final FaultPlan plan;
  private final List<Injection> injections;

  /** Seed of the first fault. */
  private final long seed;

  private final long originNanos;
  private final Consumer<FaultRecord> output;
  private final Consumer<String> log;
  private final StopSignal stop = new StopSignal();
  private final AtomicInteger recorded = new AtomicInteger();
  private @Nullable Thread thread;
  private volatile String obstacle = "";
  private List<String> silent = List.of();

  /**
   * Prepares to cause faults.
   *
   * @param commands commands for the members of a cluster that Quorate did not start
   * @param originNanos nano time at which the times of the records begin
   * @param begins runs on its own thread when a fault has begun
   * @param output receives each fault after its effects
   * @param log receives a line about each fault
   */
  public FaultInjector(
      Cluster cluster,
      FaultCommands commands,
      FaultPlan plan,
      long seed,
      long originNanos,
      Runnable begins,
      Consumer<FaultRecord> output,
      Consumer<String> log) {
    this.cluster = cluster;
    this.means =
        new FaultMeans(
            cluster,
            commands,
            cluster.control().map(control -> new ProcessFaults(control, stop)),
            cluster.control().map(control -> new NetworkFaults(cluster.members(), control)),
            stop,
            begins,
            log);
    if (means.processes().isEmpty()
        && (!commands.missing(plan).isEmpty() || plan.first(Fault::needsOwnMembers).isPresent())) {
      throw new QuorateException(
          "faults: found a cluster that Quorate did not start, expected a command for each fault,"
              + " and no further server or certificate");
    }
    this.plan = plan;
    this.injections = plan.injections(seed);
    this.seed = SEEDS * seed;
    this.originNanos = originNanos;
    this.output = output;
    this.log = log;
  }

  /** Begins; the load begins now. */
  public void start() {
    thread = DaemonThreads.start("faults", this::run);
  }

  private void run() {
    long begin = System.nanoTime();
    long calm = begin;
    try {
      for (Injection each : injections) {
        long until = begin + each.endOfSlot().toNanos();
        long latest = until - each.kind().length().plus(plan.recovery()).toNanos();
        long due = Math.max(begin + each.at().toNanos(), calm + plan.quiet().toNanos());
        if (!stop.sleepUntil(Math.min(due, latest) - HEALTH_CHECK.toNanos())) {
          return;
        }
        record(inject(each, due, latest, until));
        stop.await(() -> names(this::isSilent).isEmpty(), until + plan.jitter().toNanos(), POLL);
        calm = System.nanoTime();
      }
    } catch (RuntimeException failure) {
      log.accept("no further faults: " + failure.getMessage());
      heal();
    }
  }

  private boolean isSilent(Member member) {
    return !cluster.protocol().isServing(member);
  }

  /** Lets all members run again; returns false, and says why, if some do not. */
  private boolean heal() {
    Optional<String> failure = means.heal();
    failure.ifPresent(this::unhealed);
    return failure.isEmpty();
  }

  /** Says why not all members run again; once, if each attempt fails alike. */
  private void unhealed(String why) {
    if (!why.equals(obstacle)) {
      obstacle = why;
      log.accept("not all members run again: " + why);
    }
  }

  /** Hands a fault over, once. */
  private void record(FaultRecord fault) {
    if (recorded.getAndAccumulate(fault.number(), Math::max) < fault.number()) {
      output.accept(fault);
    }
  }

  /** Causes a fault when it is due, if that is not later than the latest time. */
  private FaultRecord inject(Injection injection, long due, long latest, long until) {
    Optional<Member> leader = cluster.leader();
    Optional<String> obstacle =
        due > latest
            ? Optional.of("earlier ones took longer than their time")
            : leader.isEmpty()
                ? Optional.of("no member leads")
                : names(this::isSilent).stream().map(name -> name + " does not serve").findFirst();
    stop.sleepUntil(Math.min(due, latest));
    FaultCourse course = new FaultCourse(means, seed + injection.number());
    if (obstacle.isPresent()) {
      course.refuse(obstacle.get());
    } else {
      course.run(injection.kind(), leader.orElseThrow()).ifPresent(this::unhealed);
    }
    course.requireEnd(injection.kind(), until);
    course.awaitServing(until);
    FaultRecord record = course.record(injection, leader, until, originNanos);
    log.accept(text(record));
    return record;
  }

  private String text(FaultRecord record) {
    String elected =
        record.electedNanos().isPresent()
            ? ", %s reported after %d ms that it leads"
                .formatted(
                    record.leaderAfter().orElseThrow(),
                    TimeUnit.NANOSECONDS.toMillis(
                        record.electedNanos().getAsLong() - record.startNanos()))
            : "";
    return "%s %d of %d: %s%s%s"
        .formatted(
            record.kind().fault().isMaintenance() ? "maintenance" : "fault",
            record.number(),
            injections.size(),
            record.kind(),
            record.members().isEmpty() ? "" : " (" + String.join(", ", record.members()) + ")",
            record.problem().or(record::observed).map(why -> ": " + why).orElse(elected));
  }

  /**
   * Causes no further fault, lets all members run again, and restores their network; waits until
   * they serve, up to a limit, unless one of them has ended. Faults that were planned and not
   * caused are recorded as such. Idempotent.
   */
  @Override
  public synchronized void close() {
    stop.stop();
    Thread running = thread;
    if (running == null) {
      return;
    }
    Pause.until(() -> running.join(END_LIMIT.toMillis()));
    thread = null;
    boolean healed = heal();
    new StopSignal()
        .await(
            () -> {
              silent = names(this::isSilent);
              return silent.isEmpty() || !healed || !cluster.failures().isEmpty();
            },
            System.nanoTime() + RESTART_LIMIT.toNanos(),
            POLL);
    injections.stream().skip(recorded.get()).forEach(this::omit);
  }

  /** Records a fault that the run did not come to, so that all planned ones are recorded. */
  private void omit(Injection injection) {
    FaultCourse course = new FaultCourse(means, seed + injection.number());
    course.refuse("the load had ended before");
    record(course.record(injection, Optional.empty(), System.nanoTime(), originNanos));
  }

  private List<String> names(Predicate<Member> which) {
    return cluster.members().stream().filter(which).map(Member::name).toList();
  }

  /** Returns the members that did not serve again after {@link #close}, in time. */
  public synchronized List<String> silent() {
    return silent;
  }
}
