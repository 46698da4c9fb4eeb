// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster.process;

import io.quorate.FileAction;
import io.quorate.QuorateException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A process, distinguished by its start time from a later one with the same pid.
 *
 * @param startedMillis start time in milliseconds since 1970, as the system reports it
 */
public record ProcessHandleInfo(long pid, long startedMillis) {
  /**
   * Tolerance of start times: they are known to a hundredth of a second, and the clock may be
   * adjusted.
   */
  private static final Duration START_TOLERANCE = Duration.ofSeconds(2);

  public ProcessHandleInfo {
    if (pid < 2) {
      throw new IllegalArgumentException("found the pid " + pid + ", expected 2 or more");
    }
    if (startedMillis < 1) {
      throw new IllegalArgumentException(
          "found the start " + startedMillis + ", expected milliseconds since 1970");
    }
  }

  /** Returns a running process; fails if it has ended. */
  public static ProcessHandleInfo of(long pid, String name) {
    return new ProcessHandleInfo(
        pid,
        ProcessHandle.of(pid)
            .flatMap(process -> process.info().startInstant())
            .orElseThrow(() -> new QuorateException(name + " has just ended"))
            .toEpochMilli());
  }

  /**
   * Returns whether a process runs. False for a zombie: it has ended, but its parent has not waited
   * for it. In a container whose first process never waits, a zombie keeps its pid forever.
   */
  public static boolean isAlive(ProcessHandle process) {
    return process.isAlive() && !isInState(process.pid(), "ZX", true);
  }

  /** Returns whether a process is stopped by a signal. */
  public static boolean isStopped(long pid) {
    return isInState(pid, "T", false);
  }

  private static boolean isInState(long pid, String states, boolean ended) {
    Path stat = Path.of("/proc", Long.toString(pid), "stat");
    if (!Files.exists(stat)) {
      return false;
    }
    try {
      // PID (NAME) STATE ..., and a name may contain anything
      String text = Files.readString(stat, StandardCharsets.ISO_8859_1);
      int name = text.lastIndexOf(") ");
      return name >= 0 && states.indexOf(text.charAt(name + 2)) >= 0;
    } catch (IOException justEnded) {
      return ended;
    }
  }

  /** Returns the handle of the process, if it still runs and its pid was not reused. */
  Optional<ProcessHandle> handle() {
    return ProcessHandle.of(pid).filter(ProcessHandleInfo::isAlive).filter(this::hasItsStart);
  }

  /**
   * Returns the handle of the process if it still runs and its working directory is below this one,
   * as for all servers that Quorate starts. The check is left out on systems that do not show
   * working directories.
   */
  public Optional<ProcessHandle> serverIn(Path data) {
    return handle().filter(process -> worksIn(data));
  }

  private boolean hasItsStart(ProcessHandle process) {
    Instant started = Instant.ofEpochMilli(startedMillis);
    return process
        .info()
        .startInstant()
        .filter(actual -> Duration.between(started, actual).abs().compareTo(START_TOLERANCE) <= 0)
        .isPresent();
  }

  private boolean worksIn(Path data) {
    if (!Files.exists(Path.of("/proc/self/cwd"))) {
      return true;
    }
    return FileAction.attempt(
            () ->
                Files.readSymbolicLink(Path.of("/proc", Long.toString(pid), "cwd"))
                    .startsWith(realPath(data)))
        .orElse(false);
  }

  /** Returns the real path of a directory, even of one that no longer exists. */
  private static Path realPath(Path directory) throws IOException {
    if (Files.exists(directory) || directory.getParent() == null) {
      return directory.toRealPath();
    }
    return realPath(directory.getParent()).resolve(directory.getFileName());
  }
}
