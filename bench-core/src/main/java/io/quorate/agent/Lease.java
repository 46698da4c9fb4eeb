package io.quorate.agent;

import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Who holds an agent: one load generator at a time. Safe for several threads. */
final class Lease {
  private AgentSession holder;
  private String name = "";
  private Instant since = Instant.EPOCH;

  /** Why it was not given. */
  record Refusal(Status status, String why) {}

  /** Takes it; null if it was free, else why not. */
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

  /** Gives it back, if that session has it. */
  synchronized void release(AgentSession session) {
    if (holder == session) {
      holder = null;
      notifyAll();
    }
  }

  /** Ends the session that has it, and waits until it has given it back, at most so long. */
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
