// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import io.quorate.QuorateException;
import io.quorate.Spelling;
import io.quorate.VisibleText;
import io.quorate.store.Operation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Finds scenario files: bundled ones by name, all others by path. */
public final class ScenarioFiles {
  private static final int MAX_PATH_LENGTH = 1000;

  private ScenarioFiles() {}

  /**
   * Finds a scenario file.
   *
   * @param nameOrFile the name of a file in {@code home/scenarios} without {@code .yaml}; or, with
   *     a slash or ending in {@code .yaml} or {@code .yml}, a file
   * @param directory working directory, to which paths are relative
   * @throws QuorateException if there is no such file; the message lists the scenarios
   */
  public static ScenarioFile locate(String nameOrFile, Path home, Path directory) {
    Path scenarios = home.resolve("scenarios");
    boolean path =
        nameOrFile.contains("/")
            || nameOrFile.contains("\\")
            || nameOrFile.endsWith(".yaml")
            || nameOrFile.endsWith(".yml");
    Path file = path(path ? nameOrFile : nameOrFile + ".yaml", path ? directory : scenarios);
    if (Files.isRegularFile(file)) {
      return new ScenarioFile(file, name(file, path ? directory : home));
    }
    requireRegular(file, file.toString());
    if (path) {
      throw missing(file, scenarios);
    }
    List<String> nearest =
        Spelling.nearest(
            Stream.concat(
                    names(scenarios).stream(), Arrays.stream(Operation.values()).map(Operation::id))
                .toList(),
            nameOrFile);
    if (names(scenarios).isEmpty()) {
      throw new QuorateException(
          "There is no scenario %s, and no scenario in %s"
              .formatted(VisibleText.quoted(nameOrFile), shown(scenarios)));
    }
    throw new QuorateException(
        "There is no scenario %s. The nearest names are %s. './quorate scenarios' lists all; a file needs its path, such as ./my.yaml"
            .formatted(VisibleText.quoted(nameOrFile), String.join(", ", nearest)));
  }

  /** Returns the names of the scenarios in a directory, sorted; empty if it is not a directory. */
  public static List<String> names(Path directory) {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".yaml"))
          .map(name -> name.substring(0, name.length() - ".yaml".length()))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new QuorateException("The directory " + shown(directory) + " cannot be read.", e);
    }
  }

  /** Refuses a file that is not regular, as reading a pipe might never end. */
  static void requireRegular(Path file, String shown) {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new QuorateException(
          "The scenario file "
              + VisibleText.of(shown, MAX_PATH_LENGTH)
              + " cannot be read: it is "
              + (Files.isDirectory(file) ? "a directory" : "a pipe, a socket or a device"));
    }
  }

  private static String name(Path file, Path from) {
    Path base = from.normalize();
    return (file.startsWith(base) ? base.relativize(file) : file).toString();
  }

  static QuorateException missing(Path file) {
    return missing(file, Objects.requireNonNull(file.toAbsolutePath().getParent()));
  }

  private static QuorateException missing(Path file, Path scenarios) {
    List<String> names =
        Spelling.nearest(
            names(scenarios), file.getFileName().toString().replaceAll("\\.ya?ml$", ""));
    String known =
        names.isEmpty()
            ? "and no scenario in " + shown(scenarios)
            : "the nearest names in " + shown(scenarios) + " are " + String.join(", ", names);
    return new QuorateException("There is no file " + shown(file) + "; " + known + ".");
  }

  private static Path path(String text, Path directory) {
    try {
      return directory.resolve(text).normalize();
    } catch (InvalidPathException e) {
      throw new QuorateException(
          "The scenario " + VisibleText.quoted(text) + " is not the name of a file.", e);
    }
  }

  private static String shown(Path path) {
    return VisibleText.of(path.toString(), MAX_PATH_LENGTH);
  }
}
