// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import io.quorate.QuorateException;
import io.quorate.RunPart;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.Member;
import io.quorate.load.Load;
import io.quorate.results.manifest.ServerInfo;
import io.quorate.results.manifest.ShardStart;
import io.quorate.run.options.ShardOptions;
import io.quorate.scenario.LoadShare;
import io.quorate.shard.Barrier;
import io.quorate.shard.BarrierClock;
import io.quorate.store.Endpoint;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Makes the steps of a shard begin together with the steps of the others: the first step at a given
 * time, and each step as agreed in a directory. For one thread at a time, except for {@link
 * #isWaiting()}.
 */
final class ShardStarts implements RunPart {
  /** Time before its beginning at which a step is prepared. */
  private static final long PREPARATION_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

  /** Delay above which a shard does not measure the same as the others. */
  private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private static final double NANOS_PER_SECOND = 1e9;

  private final ShardOptions options;
  private final LoadShare share;
  private final ServerInfo.Hosting hosting;
  private final Load load;
  private final RunRecord record;
  private final Consumer<String> say;
  private final List<ShardStart> starts = new CopyOnWriteArrayList<>();
  private volatile boolean waiting;
  private volatile Optional<Barrier> barrier = Optional.empty();
  private Optional<BarrierClock> lead = Optional.empty();

  /** Start of the step, in nanoseconds since 1970 by the clock of this machine. */
  private Optional<Long> agreedNanos = Optional.empty();

  ShardStarts(
      ShardOptions options,
      LoadShare share,
      ServerInfo.Hosting hosting,
      Load load,
      RunRecord record,
      Consumer<String> say) {
    this.options = options;
    this.share = share;
    this.hosting = hosting;
    this.load = load;
    this.record = record;
    this.say = say;
  }

  void enter() {
    barrier = options.enter(share, say);
    barrier.ifPresent(each -> each.declareServers(startsServers()));
  }

  private boolean startsServers() {
    return hosting == ServerInfo.Hosting.AGENTS;
  }

  /** Waits for the servers that another shard starts. */
  List<Endpoint> awaitServers() {
    say.accept("waits for the servers of the shard that has the agents");
    return barrier.orElseThrow().awaitServers(load::isCancelled);
  }

  void publish(Cluster cluster) {
    if (startsServers()) {
      List<Endpoint> servers = cluster.members().stream().map(Member::endpoint).toList();
      barrier.ifPresent(each -> each.publishServers(servers));
    }
  }

  void leaveServers() {
    barrier.ifPresent(each -> each.leaveServers(startsServers(), load::isCancelled));
  }

  boolean isWaiting() {
    return waiting;
  }

  /** Waits until shortly before a step, with enough time to prepare it. */
  @Override
  public void prepareStep(int step) {
    waiting = true;
    try {
      agreedNanos = agreed(step);
      agreedNanos.ifPresent(nanos -> waitUntil(nanos - PREPARATION_NANOS));
    } finally {
      waiting = false;
    }
  }

  private Optional<Long> agreed(int step) {
    Optional<Instant> given = options.startAt().filter(any -> step == 1);
    if (barrier.isEmpty()) {
      return given.map(BarrierClock::unixNanos);
    }
    say.accept("step " + step + " waits for the other shards");
    lead = Optional.of(barrier.get().clockLead());
    long shared = barrier.get().await(step, given, load::isCancelled);
    return Optional.of(shared + lead.get().aheadNanos());
  }

  /** Waits until a step begins; fails if that is too late to measure together. */
  @Override
  public void stepBegins(int step) {
    agreedNanos.ifPresent(this::waitUntil);
    Instant now = Instant.now();
    Optional<Long> late = agreedNanos.map(agreed -> BarrierClock.unixNanos(now) - agreed);
    starts.add(
        new ShardStart(
            step,
            now,
            late.map(nanos -> OptionalLong.of(nanos / 1000)).orElse(OptionalLong.empty()),
            lead.map(
                each ->
                    new ShardStart.SharedClock(
                        each.aheadNanos() / 1000, each.uncertaintyNanos() / 1000))));
    if (late.orElse(0L) > LATE_NANOS) {
      throw new QuorateException(
          "%s comes %s s too late for step %d, which began at %s: start the shards earlier, or let them begin later"
              .formatted(share.shard(), seconds(late.get()), step, now.minusNanos(late.get())));
    }
    String clock =
        lead.map(
                each ->
                    ", by a clock that is %s s ahead of the directory's (+/- %s s)"
                        .formatted(seconds(each.aheadNanos()), seconds(each.uncertaintyNanos())))
            .orElse(", by the clock of this machine, which was compared with no other");
    late.ifPresent(
        nanos ->
            say.accept(
                "step %d began %s s after the agreed time%s"
                    .formatted(step, seconds(nanos), clock)));
  }

  @Override
  public void stepEnded(int step) {
    record.add(manifest -> manifest.withStarts(List.copyOf(starts)));
  }

  /**
   * Waits until all shards have ended their load, so that reading keys back does not disturb them.
   */
  @Override
  public void loadEnded() {
    barrier.ifPresent(each -> each.awaitEnd(load::isCancelled));
  }

  @Override
  public void abandon(String reason) {
    barrier.ifPresent(each -> each.fail(reason));
  }

  private void waitUntil(long nanos) {
    long left = nanos - BarrierClock.unixNanos(Instant.now());
    while (left > 0 && !load.isCancelled()) {
      LockSupport.parkNanos(Math.min(left, PREPARATION_NANOS));
      left = nanos - BarrierClock.unixNanos(Instant.now());
    }
  }

  private static String seconds(long nanos) {
    return BigDecimal.valueOf(nanos / NANOS_PER_SECOND)
        .setScale(4, RoundingMode.HALF_EVEN)
        .toPlainString();
  }
}
