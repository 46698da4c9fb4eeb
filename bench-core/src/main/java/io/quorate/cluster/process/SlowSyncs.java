// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster.process;

import io.quorate.FileAction;
import io.quorate.Pause;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.cluster.MemberControl.Impairment;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Lets the syncs of files by a server take longer. strace traces all threads of the server, and
 * lets go of them when it ends, in any way. All system calls of the server take some microseconds
 * longer meanwhile.
 */
public final class SlowSyncs implements Impairment {
  private static final String STRACE = "strace";
  private static final Duration DELAY = Duration.ofMillis(200);
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final Duration POLL = Duration.ofMillis(5);

  private final ServerProcess server;
  private final Process strace;
  private final Path output;

  private SlowSyncs(ServerProcess server, Process strace, Path output) {
    this.server = server;
    this.strace = strace;
    this.output = output;
  }

  /** Returns why no server can be traced on this machine; empty if nothing is known. */
  public static Optional<String> obstacle() {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    boolean installed =
        Arrays.stream(path.split(File.pathSeparator))
            .anyMatch(each -> Files.isExecutable(Path.of(each, STRACE)));
    return installed
        ? Optional.empty()
        : Optional.of("found no strace on PATH: it needs Linux, and apt-get install strace");
  }

  /**
   * Begins, and waits until all threads of a server are traced.
   *
   * @throws QuorateException if it cannot be traced
   */
  public static SlowSyncs begin(GuardedProcesses processes, ServerProcess server) {
    Path output = server.plan().data().resolve(STRACE + ".txt");
    List<String> command =
        List.of(
            STRACE,
            "-f",
            "-q",
            "-e",
            "signal=none",
            "-e",
            "trace=fsync,fdatasync",
            "-e",
            "inject=fsync,fdatasync:delay_exit=" + TimeUnit.MILLISECONDS.toMicros(DELAY.toMillis()),
            "-p",
            Long.toString(server.pid()));
    return FileAction.require(
        "strace cannot be started",
        () -> {
          SlowSyncs begun =
              new SlowSyncs(server, processes.accompany(server, command, output), output);
          begun.awaitAttached();
          return begun;
        });
  }

  private void awaitAttached() {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (!isTraced()) {
      if (!strace.isAlive() || System.nanoTime() > deadline) {
        close();
        String said = VisibleText.line(lines().limit(1).findFirst().orElse("nothing"));
        throw new QuorateException(
            "strace does not trace %s, and says: %s".formatted(server.plan().name(), said));
      }
      Pause.of(POLL, "strace");
    }
  }

  private boolean isTraced() {
    return FileAction.attempt(
            () ->
                Files.readString(Path.of("/proc", "" + server.pid(), "status"))
                    .contains("\nTracerPid:\t" + strace.pid() + "\n"))
        .orElse(false);
  }

  private Stream<String> lines() {
    return FileAction.attempt(() -> Files.readString(output, StandardCharsets.ISO_8859_1).lines())
        .orElse(Stream.empty());
  }

  @Override
  public boolean isObserved() {
    return lines().anyMatch(line -> line.contains("(DELAYED)"));
  }

  @Override
  public void close() {
    strace.destroy();
    Pause.until(() -> strace.waitFor(LIMIT.toNanos(), TimeUnit.NANOSECONDS));
    strace.destroyForcibly();
  }
}
