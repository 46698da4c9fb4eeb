// SPDX-License-Identifier: Apache-2.0
package io.quorate.install;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.store.server.Program;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;

/** The version that an executable reports. */
final class ReportedVersion {
  private static final long ANSWER_SECONDS = 20;
  private static final int LONGEST = 1 << 16;

  private ReportedVersion() {}

  /**
   * Asks an executable for its version, within a time limit.
   *
   * @return the version with control characters escaped; empty if it reports none
   * @throws IOException if the executable cannot be started on this machine
   */
  static Optional<String> of(Program program, Path executable) throws IOException {
    Matcher answer = answer(program, executable);
    return answer.groupCount() > 0 && answer.find()
        ? Optional.of(VisibleText.line(answer.group(1)))
        : Optional.empty();
  }

  /** Checks that an executable runs here and reports the installed version, if it reports one. */
  static void check(Program program, Path executable) {
    try {
      Matcher answer = answer(program, executable);
      if (!answer.find()) {
        throw new QuorateException(
            "the executable does not answer --version like " + program.id() + " for this machine");
      }
      if (answer.groupCount() > 0
          && !program.isOwn()
          && !answer.group(1).equals(program.version())) {
        throw new QuorateException(
            String.format(
                "the executable says that it is %s %s, not %s",
                program.id(), VisibleText.line(answer.group(1)), program.version()));
      }
    } catch (IOException failure) {
      throw new QuorateException(
          "the executable does not run on this machine: " + Failure.reason(failure), failure);
    }
  }

  private static Matcher answer(Program program, Path executable) throws IOException {
    Process process =
        new ProcessBuilder(executable.toString(), "--version").redirectErrorStream(true).start();
    process.getOutputStream().close();
    Executor limit = CompletableFuture.delayedExecutor(ANSWER_SECONDS, TimeUnit.SECONDS);
    CompletableFuture<Void> end = CompletableFuture.runAsync(() -> end(process), limit);
    try {
      byte[] output = process.getInputStream().readNBytes(LONGEST);
      return program.answer().matcher(new String(output, StandardCharsets.UTF_8));
    } finally {
      end.cancel(false);
      end(process);
    }
  }

  private static void end(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
