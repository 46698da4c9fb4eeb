// SPDX-License-Identifier: Apache-2.0
package io.quorate.results;

import io.quorate.DiskSpace;
import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.results.requests.SecondRow;
import io.quorate.stores.Stores;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The directory of one database of a run.
 *
 * @param path absolute path; its name is the id of the database
 */
public record DatabaseDirectory(Path path) {
  private static final int MAX_REPORTS = 100;

  public DatabaseDirectory {
    path = path.toAbsolutePath().normalize();
  }

  /** Returns the name of the directory: the id of the database. */
  public String id() {
    return path.getFileName().toString();
  }

  /** Returns the file that describes the run: scenario, store, machine and outcome. */
  public Path manifest() {
    return path.resolve("manifest.json");
  }

  /**
   * Returns the file that reserves space for the final manifest; it exists only during the run, or
   * after a kill.
   */
  public Path manifestReserve() {
    return path.resolve("manifest.json.reserve");
  }

  public Path latencyLog() {
    return path.resolve("latency.hlog");
  }

  /**
   * Creates the directory with the files of the trials of a capacity search, which have the same
   * names as the files of the load. Its steps are the trials of this run, after the warm-up.
   */
  public DatabaseDirectory createTrials() {
    return new DatabaseDirectory(make(path.resolve("trials")));
  }

  /** Creates a directory, unless it exists. */
  static Path make(Path directory) {
    try {
      return Files.createDirectories(directory);
    } catch (IOException impossible) {
      throw new QuorateException(
          directory + ": cannot be made: " + DiskSpace.reason(directory, impossible), impossible);
    }
  }

  public Path textSummary() {
    return path.resolve("summary.txt");
  }

  public Path perfdash() {
    return path.resolve("perfdash.json");
  }

  /** Returns the directory of Gatling's own results. */
  public Path gatling() {
    return path.resolve("gatling");
  }

  /** Returns the first pages of Gatling's own reports, if there are any; does not follow links. */
  public List<Path> gatlingReports() {
    if (!Files.isDirectory(gatling(), LinkOption.NOFOLLOW_LINKS)) {
      return List.of();
    }
    return directories(gatling()).stream()
        .map(run -> run.resolve("index.html"))
        .filter(page -> Files.isRegularFile(page, LinkOption.NOFOLLOW_LINKS))
        .limit(MAX_REPORTS)
        .toList();
  }

  /** Returns the files and directories in a directory, in the order of their names. */
  public static List<Path> entries(Path directory) {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.sorted().toList();
    } catch (IOException impossible) {
      throw FileFailure.unreadable(directory, impossible);
    }
  }

  /** Returns the directories in a directory, in the order of their names; does not follow links. */
  public static List<Path> directories(Path directory) {
    return entries(directory).stream()
        .filter(entry -> Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS))
        .toList();
  }

  /** Returns the files below a directory, in the order of their paths; does not follow links. */
  public static List<Path> files(Path directory) {
    try (Stream<Path> below = Files.walk(directory)) {
      return below
          .filter(each -> !Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS))
          .sorted()
          .toList();
    } catch (IOException impossible) {
      throw FileFailure.unreadable(directory, impossible);
    } catch (UncheckedIOException impossible) {
      throw FileFailure.unreadable(directory, Objects.requireNonNull(impossible.getCause()));
    }
  }

  /**
   * Returns whether it belongs to a run, with or without measurements: it contains a file of a run,
   * or is named like a store in the directory of a run.
   */
  boolean isOfRun(boolean inRun) {
    return inRun && Stores.byId(id()).isPresent()
        || Files.exists(latencyLog(), LinkOption.NOFOLLOW_LINKS)
        || Files.isDirectory(gatling(), LinkOption.NOFOLLOW_LINKS)
        || Files.exists(SecondRow.FILE.in(path));
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
