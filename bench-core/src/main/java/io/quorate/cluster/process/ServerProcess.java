package io.quorate.cluster.process;

import io.quorate.DiskSpace;
import io.quorate.QuorateException;
import io.quorate.store.server.ServerPlan;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The process of a server that this program started. */
public final class ServerProcess {
  private static final int SIGNAL_BASE = 128;
  private static final Duration KILL_LIMIT = Duration.ofSeconds(20);

  /** Signals sent from outside, which the server's log does not explain. */
  private static final Set<Integer> OUTSIDE_SIGNALS = Set.of(1, 2, 3, 9, 15);

  private final ServerPlan plan;
  private final Process process;
  private final CompletableFuture<Instant> end;

  ServerProcess(ServerPlan plan, Process process) {
    this.plan = plan;
    this.process = process;
    this.end = process.onExit().thenApply(ended -> Instant.now());
  }

  public ServerPlan plan() {
    return plan;
  }

  public LogTail log() {
    return new LogTail(plan.log());
  }

  public long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Describes how the process ended; only for an ended process. */
  public String end() {
    int code = process.exitValue();
    return code > SIGNAL_BASE
        ? "was ended by signal " + (code - SIGNAL_BASE)
        : "ended with exit code " + code;
  }

  Optional<String> failure() {
    return isAlive()
        ? Optional.empty()
        : Optional.of(
            plan.name() + " " + end() + fullDisk().orElseGet(() -> "; " + whatItsLogSays()));
  }

  private String whatItsLogSays() {
    if (!wasEndedFromOutside()) {
      Optional<String> reason = log().reasonOfEnd(end.getNow(Instant.now()), plan.kind().log());
      if (reason.isPresent()) {
        return plan.log() + " says: " + reason.get();
      }
    }
    return plan.log() + " does not say why";
  }

  /**
   * Returns a text that follows {@link #end()} if a full device is the cause, with the line of the
   * log that shows it. Empty for other causes.
   */
  public Optional<String> fullDisk() {
    return !wasEndedFromOutside() && log().tellsOfFullDisk()
        ? Optional.of(": " + DiskSpace.noneLeft(plan.data()) + "; " + whatItsLogSays())
        : Optional.empty();
  }

  private boolean wasEndedFromOutside() {
    return OUTSIDE_SIGNALS.contains(process.exitValue() - SIGNAL_BASE);
  }

  void onEnd(Runnable action) {
    process.onExit().thenRun(action);
  }

  void terminate() {
    process.destroy();
  }

  /** Waits until the process has ended; kills it after a limit, or when interrupted. */
  void awaitEnd(Duration limit) {
    boolean interrupted = false;
    try {
      process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException interrupt) {
      interrupted = true;
    }
    process.destroyForcibly();
    long deadline = System.nanoTime() + KILL_LIMIT.toNanos();
    boolean ended = false;
    while (!ended) {
      try {
        ended = process.waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        if (!ended) {
          throw new QuorateException("process " + pid() + " does not end when killed");
        }
      } catch (InterruptedException interrupt) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
