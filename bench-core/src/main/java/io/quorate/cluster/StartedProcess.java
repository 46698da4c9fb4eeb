package io.quorate.cluster;

import io.quorate.QuorateException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A process, told from a later one with its pid by the time of its start.
 *
 * @param startedMillis in milliseconds since 1970, as the system tells
 */
record StartedProcess(long pid, long startedMillis) {
  /**
   * The start of a process is known to the hundredth of a second, the clock may be set a little.
   */
  private static final Duration START_TOLERANCE = Duration.ofSeconds(2);

  StartedProcess {
    if (pid < 2) {
      throw new IllegalArgumentException("found the pid " + pid + ", expected 2 or more");
    }
    if (startedMillis < 1) {
      throw new IllegalArgumentException(
          "found the start " + startedMillis + ", expected milliseconds since 1970");
    }
  }

  /**
   * One that runs.
   *
   * @throws QuorateException if it has ended
   */
  static StartedProcess of(long pid, String name) {
    return new StartedProcess(
        pid,
        ProcessHandle.of(pid)
            .flatMap(process -> process.info().startInstant())
            .orElseThrow(() -> new QuorateException(name + " has just ended"))
            .toEpochMilli());
  }

  /** It, if it is there and is not another one with its pid. */
  Optional<ProcessHandle> handle() {
    return ProcessHandle.of(pid).filter(Liveness::isAlive).filter(this::hasItsStart);
  }

  /**
   * It, if it is there and is a server that works below this directory, as all do that Quorate
   * starts. Systems that do not show that are believed.
   */
  Optional<ProcessHandle> serverIn(Path data) {
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
    try {
      return Files.readSymbolicLink(Path.of("/proc", Long.toString(pid), "cwd"))
          .startsWith(realPath(data));
    } catch (IOException endedOrAnotherUsers) {
      return false;
    }
  }

  /** Also of a directory that is not there any more. */
  private static Path realPath(Path directory) throws IOException {
    if (Files.exists(directory) || directory.getParent() == null) {
      return directory.toRealPath();
    }
    return realPath(directory.getParent()).resolve(directory.getFileName());
  }
}
