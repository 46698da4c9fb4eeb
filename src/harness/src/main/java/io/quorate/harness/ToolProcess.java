// SPDX-License-Identifier: Apache-2.0
package io.quorate.harness;

import io.quorate.QuorateException;
import io.quorate.install.OwnedProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The process of a contender, which ends with the measurement or with this JVM. */
final class ToolProcess {
  private ToolProcess() {}

  /**
   * Runs a program and waits for its end.
   *
   * @param name name for messages
   * @param command command, whose standard input ends with this JVM
   * @param output path without extension: {@code .txt} gets its output, {@code .err} its errors
   * @return its output
   * @throws QuorateException if it fails, or if this thread is interrupted
   */
  static String run(String name, List<String> command, Path output) {
    Path printed = Path.of(output + ".txt");
    Path errors = Path.of(output + ".err");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(printed.toFile()).redirectError(errors.toFile());
    try (OwnedProcess owned = OwnedProcess.start(builder)) {
      if (owned.process().waitFor() != 0) {
        throw new QuorateException("%s failed, see %s".formatted(name, errors));
      }
      return Files.readString(printed, StandardCharsets.UTF_8);
    } catch (IOException failure) {
      throw new QuorateException(name + " cannot be run: " + failure, failure);
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
      throw new QuorateException("interrupted", asked);
    }
  }
}
