// SPDX-License-Identifier: Apache-2.0
package io.quorate.fault;

import io.quorate.DaemonThreads;
import io.quorate.cluster.Member;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/** Asks members whether they lead, each on its own thread, so that none waits for another. */
final class LeaderWatch implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(10);

  private final boolean isEmpty;
  private final StopSignal closed = new StopSignal();
  private final CompletableFuture<Seen> first = new CompletableFuture<>();

  /** The first member that reported that it leads, and when. */
  record Seen(Member member, long nanos) {}

  /** Begins to ask. */
  LeaderWatch(List<Member> members, Predicate<Member> leads) {
    isEmpty = members.isEmpty();
    for (Member each : members) {
      DaemonThreads.start("leader-" + each.name(), () -> ask(each, leads));
    }
  }

  private void ask(Member member, Predicate<Member> leads) {
    closed.await(
        () -> {
          if (leads.test(member)) {
            first.complete(new Seen(member, System.nanoTime()));
          }
          return first.isDone();
        },
        System.nanoTime() + Long.MAX_VALUE / 2,
        POLL);
  }

  boolean hasSeen() {
    return first.isDone();
  }

  /** Waits for a leader; empty at a nano time, if the run ends, or if nobody is asked. */
  Optional<Seen> await(long deadline, StopSignal stop) {
    stop.await(() -> isEmpty || hasSeen(), deadline, POLL);
    return Optional.ofNullable(first.getNow(null));
  }

  @Override
  public void close() {
    closed.stop();
  }
}
