// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster.process;

import io.quorate.DaemonThreads;
import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.store.Login;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A command of a user that changes a server, and the one that ends that. Once the first was
 * started, the second runs in any case: at {@link #end}, or when this JVM ends in any other way,
 * which a shell process ({@code command-guard.sh}) notices. Messages of exceptions contain neither
 * commands nor their output, which may have secrets. For one thread.
 */
public final class GuardedCommand {
  private static final int MAX_OUTPUT = 4096;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** Time that a command has to end after the run was stopped. */
  private static final Duration GRACE = Duration.ofSeconds(2);

  private static final Duration POLL = Duration.ofMillis(20);

  private final String name;
  private final String endName;
  private final Map<String, String> environment;
  private final Map<String, String> ofGuard;
  private final Duration limit;
  private final Consumer<String> log;
  private @Nullable Process guard;

  /**
   * Prepares the commands.
   *
   * @param name name of the first one, for messages
   * @param end command of a shell; empty if the change ends by itself
   * @param environment additional variables of the environment of both
   * @param log receives what a command that failed has written
   */
  public GuardedCommand(
      String name, Optional<String> end, Map<String, String> environment, Consumer<String> log) {
    this(name, end, environment, LIMIT, log);
  }

  GuardedCommand(
      String name,
      Optional<String> end,
      Map<String, String> environment,
      Duration limit,
      Consumer<String> log) {
    this.name = name;
    this.endName = name + " end";
    this.environment = Map.copyOf(environment);
    this.ofGuard = new HashMap<>(environment);
    ofGuard.putAll(Map.of("QUORATE_NAME", endName, "QUORATE_END", end.orElse("")));
    this.limit = limit;
    this.log = log;
  }

  /**
   * Runs the first command, and waits until it ends.
   *
   * @param command command of a shell
   * @param begins runs just before it
   * @param stopped whether the run is ending, so that it is not waited for any longer
   * @throws QuorateException if it cannot be started, fails, or does not end in time
   */
  public void begin(String command, Runnable begins, BooleanSupplier stopped) {
    Process process;
    try {
      guard = startGuard();
      process =
          start(
              environment,
              "/bin/sh",
              "-c",
              GuardedProcesses.LAUNCH,
              "quorate-launch",
              "/bin/sh",
              "-c",
              command);
      tell(guard, "+" + process.pid());
      try (OutputStream go = process.getOutputStream()) {
        begins.run();
        go.write("go\n".getBytes(StandardCharsets.US_ASCII));
      }
    } catch (IOException failure) {
      throw unstarted(name, failure);
    }
    int code = await(process, name, stopped);
    try {
      tell(guard, "-");
    } catch (IOException ended) {
      // the end notices it as well
    }
    requireSuccess(name, code);
  }

  /**
   * Runs the command that ends the change, and waits until it ends. Does nothing if the first one
   * was not started.
   *
   * @throws QuorateException if it cannot be started, fails, or does not end in time
   */
  public void end() {
    if (guard == null) {
      return;
    }
    Process ending = guard;
    guard = null;
    try {
      try {
        tell(ending, "end");
      } catch (IOException killed) {
        ending = startGuard();
        tell(ending, "end");
      }
      requireSuccess(endName, await(ending, endName, () -> false));
    } catch (IOException failure) {
      throw unstarted(endName, failure);
    }
  }

  private Process startGuard() throws IOException {
    return Guard.start("command-guard.sh", ProcessBuilder.Redirect.INHERIT, ofGuard);
  }

  private static Process start(Map<String, String> environment, String... command)
      throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().removeAll(Login.VARIABLES);
    builder.environment().putAll(environment);
    return builder.start();
  }

  private static void tell(Process guard, String line) throws IOException {
    OutputStream input = guard.getOutputStream();
    input.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
    input.flush();
  }

  private int await(Process process, String what, BooleanSupplier stopped) {
    Output output = new Output(process.getInputStream());
    Thread reader = DaemonThreads.start("command-output", output);
    long deadline = System.nanoTime() + limit.toNanos();
    boolean isStopped = false;
    try {
      while (!process.waitFor(POLL.toMillis(), TimeUnit.MILLISECONDS)) {
        if (!isStopped && stopped.getAsBoolean()) {
          isStopped = true;
          deadline = Math.min(deadline, System.nanoTime() + GRACE.toNanos());
        }
        if (System.nanoTime() - deadline > 0) {
          kill(process);
          throw new QuorateException(
              isStopped
                  ? "the run ended before the command '%s' did".formatted(what)
                  : "the command '%s' did not end within %d s".formatted(what, limit.toSeconds()));
        }
      }
      if (process.exitValue() != 0) { // a process in the background may keep the output open
        reader.join(TimeUnit.SECONDS.toMillis(1));
      }
    } catch (InterruptedException interrupt) {
      kill(process);
      Thread.currentThread().interrupt();
      throw new QuorateException("interrupted during the command '%s'".formatted(what));
    }
    if (process.exitValue() != 0 && !output.text().isEmpty()) {
      log.accept("the command '%s' wrote: %s".formatted(what, VisibleText.line(output.text())));
    }
    return process.exitValue();
  }

  private static void kill(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  private static void requireSuccess(String what, int code) {
    if (code != 0) {
      throw new QuorateException("the command '%s' ended with exit code %d".formatted(what, code));
    }
  }

  private static QuorateException unstarted(String what, IOException failure) {
    return new QuorateException(
        "the command '%s' cannot be started (/bin/sh): %s"
            .formatted(what, FileFailure.reason(failure)));
  }

  /** Reads all output of a command, and keeps its beginning. */
  private static final class Output implements Runnable {
    private final InputStream stream;
    private final StringBuffer kept = new StringBuffer();

    Output(InputStream stream) {
      this.stream = stream;
    }

    @Override
    public void run() {
      byte[] piece = new byte[1024];
      try (stream) {
        for (int read = stream.read(piece); read >= 0; read = stream.read(piece)) {
          if (kept.length() < MAX_OUTPUT) {
            kept.append(new String(piece, 0, read, StandardCharsets.UTF_8));
          }
        }
      } catch (IOException ended) {
        kept.append(ended.getMessage());
      }
    }

    String text() {
      return kept.toString().strip();
    }
  }
}
