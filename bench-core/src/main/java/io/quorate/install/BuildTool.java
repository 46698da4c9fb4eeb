// SPDX-License-Identifier: Apache-2.0
package io.quorate.install;

import io.quorate.QuorateException;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A build tool of this machine, such as Go or Maven. Its commands run in one directory, with a
 * fixed environment.
 */
record BuildTool(String name, Path executable, Path directory, Map<String, String> environment) {
  private static final Path NICE = Path.of("/usr/bin/nice");
  private static final int LAST_LINES = 20;

  /** Lets other programs of the machine go first, where that is possible. */
  private static final List<String> LEAST_PRIORITY =
      Files.isExecutable(NICE) ? List.of(NICE.toString(), "-n", "10") : List.of();

  /**
   * Runs a command to its end; fails with its last lines of output if the command fails. It ends
   * with this JVM.
   */
  void run(String what, Consumer<String> lines, List<String> arguments) {
    List<String> command = new ArrayList<>(LEAST_PRIORITY);
    command.add(executable.toString());
    command.addAll(arguments);
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
    builder.redirectInput(Redirect.from(Path.of("/dev/null").toFile()));
    builder.environment().clear();
    builder.environment().putAll(environment);
    Deque<String> last = new ArrayDeque<>();
    try (OwnedProcess owned = OwnedProcess.start(builder)) {
      Process process = owned.process();
      try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
          last.addLast(line);
          if (last.size() > LAST_LINES) {
            last.removeFirst();
          }
          lines.accept(line);
        }
        int code = process.waitFor();
        if (code != 0) {
          throw new QuorateException(
              "%s failed: %s ended with exit code %s".formatted(what, name, code)
                  + (last.isEmpty() ? "" : "; its last lines:\n  " + String.join("\n  ", last)));
        }
      }
    } catch (IOException failure) {
      throw new QuorateException("cannot run " + executable + ": " + failure, failure);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new QuorateException("interrupted while " + what, interrupt);
    }
  }
}
