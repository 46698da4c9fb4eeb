package io.quorate.install;

import io.quorate.VisibleText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The file next to an installed program that records its source. */
final class InstallRecord {
  private static final String FILE = "origin.txt";

  private InstallRecord() {}

  static void write(Path directory, String origin) throws IOException {
    Files.writeString(directory.resolve(FILE), origin + System.lineSeparator());
  }

  /**
   * Reads the origin, in a form fit for a terminal; empty if the file does not exist or cannot be
   * read.
   */
  static Optional<String> read(Path directory) {
    Path file = directory.resolve(FILE);
    try {
      return Files.exists(file)
          ? Optional.of(VisibleText.line(Files.readString(file).strip()))
          : Optional.empty();
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }
}
