package io.quorate.agent.server;

import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The exclusive lease of an agent, held by one load generator at a time. Safe for several threads.
 */
final class Lease {
  private AgentSession holder;
  private String name = "";
  private Instant since = Instant.EPOCH;

  /** The reason why the lease was refused. */
  record Refusal(Status status, String why) {}

  /** Takes the lease; returns null if it was free, else the refusal. */
  synchronized Refusal take(AgentSession session, String who, Instant now) {
    if (holder != null) {
      String held =
          "%s holds the agent since %s".formatted(name, since.truncatedTo(ChronoUnit.SECONDS));
      return holder.hasEnded()
          ? new Refusal(Status.ABORTED, held + ", and its member is being stopped")
          : new Refusal(
              Status.RESOURCE_EXHAUSTED, held + ": wait until it has ended, or use other agents");
    }
    holder = session;
    name = who;
    since = now;
    return null;
  }

  /** Releases the lease, if that session holds it. */
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
