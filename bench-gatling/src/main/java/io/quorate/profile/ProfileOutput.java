// SPDX-License-Identifier: Apache-2.0
package io.quorate.profile;

import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The option for the file of a scenario. */
final class ProfileOutput {
  @Option(names = "--output", paramLabel = "FILE")
  private Optional<Path> file = Optional.empty();

  /** Reports a file that exists already, before any work. */
  void check() {
    if (file.isPresent() && Files.exists(file.get())) {
      throw exists();
    }
  }

  void write(String scenario, PrintWriter out, PrintWriter err) {
    if (file.isEmpty()) {
      out.print(scenario);
      out.flush();
      return;
    }
    try {
      Files.writeString(file.get(), scenario, StandardOpenOption.CREATE_NEW);
    } catch (FileAlreadyExistsException exists) {
      throw exists();
    } catch (IOException impossible) {
      throw FileFailure.exception(shown() + ": cannot be written", impossible);
    }
    err.println("Scenario: " + shown() + ". Run it with ./quorate run " + shown());
  }

  private QuorateException exists() {
    return new QuorateException("--output: " + shown() + " exists already. Choose a new file.");
  }

  private String shown() {
    return VisibleText.of(file.orElseThrow().toString());
  }
}
