// SPDX-License-Identifier: Apache-2.0
package io.quorate.agent.server;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** The lease of an agent, for one load generator at a time. Safe for several threads. */
final class Lease {
  private @Nullable AgentSession holder;
  private String name = "";
  private Instant since = Instant.EPOCH;

  /** Takes the lease; refuses with a {@link StatusRuntimeException} if it is held. */
  synchronized void take(AgentSession session, String who, Instant now) {
    if (holder != null) {
      String held =
          "%s holds the agent since %s".formatted(name, since.truncatedTo(ChronoUnit.SECONDS));
      Status refusal =
          holder.hasEnded()
              ? Status.ABORTED.withDescription(held + ", and its member is being stopped")
              : Status.RESOURCE_EXHAUSTED.withDescription(
                  held + ": wait until it has ended, or use other agents");
      throw refusal.asRuntimeException();
    }
    holder = session;
    name = who;
    since = now;
  }

  synchronized void release(AgentSession session) {
    if (holder == session) {
      holder = null;
      notifyAll();
    }
  }

  /** Ends the session that holds the lease, and waits for its release, at most for the limit. */
  void endHolder(Status why, Duration limit) throws InterruptedException {
    AgentSession session;
    synchronized (this) {
      session = holder;
    }
    if (session == null) {
      return;
    }
    session.end(why);
    long deadline = System.nanoTime() + limit.toNanos();
    synchronized (this) {
      long millis = limit.toMillis();
      while (holder == session && millis > 0) {
        wait(millis);
        millis = (deadline - System.nanoTime()) / 1_000_000;
      }
    }
  }
}
