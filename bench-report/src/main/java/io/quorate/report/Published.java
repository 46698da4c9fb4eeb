// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.format.OutputFiles;
import io.quorate.report.page.RunIndex;
import io.quorate.results.MatrixDirectory;
import io.quorate.results.RunArchive;
import io.quorate.results.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A run or a matrix of runs in a directory that is committed to Git, {@code
 * results/<machine>/<date>/<name>}. It has facts, and the report that is rendered from the facts
 * alone.
 */
sealed interface Published permits PublishedRun, PublishedMatrix {
  /** Size limit for each log of latencies, with its share of other files but the page, in bytes. */
  long MAX_BYTES = 300_000;

  String SCENARIO = "scenario.yaml";
  String PAGE = "index.html";

  /** Returns whether a directory contains a published run or matrix. */
  static boolean isAt(Path path) {
    return isFile(path, RunArchive.INPUTS) || isFile(path, RunArchive.CELLS);
  }

  private static boolean isFile(Path path, String name) {
    return Files.isRegularFile(path.resolve(name), LinkOption.NOFOLLOW_LINKS);
  }

  /** Returns what is published in a directory, even if some of its files are missing. */
  static Published at(Path path) {
    return MatrixDirectory.isAt(path) || isFile(path, RunArchive.CELLS)
        ? new PublishedMatrix(new MatrixDirectory(path))
        : new PublishedRun(new RunDirectory(path));
  }

  /** Returns its directory. */
  Path path();

  /** Returns the name or start of what was published, which differs between runs of a scenario. */
  String origin();

  /** Returns the names of all files that are not rendered; some of them may be missing. */
  List<String> facts();

  /**
   * Returns the number of logs of latencies: one of the load of each database and run, and one of
   * its trials if a capacity was searched.
   */
  int logs();

  /** Returns the number of logs of latencies in an archive; an unreadable one has none. */
  static int logsIn(Path archive) {
    try {
      return RunFacts.logs(RunArchive.read(archive).files());
    } catch (QuorateException unreadable) {
      return 0;
    }
  }

  /** Returns the problems of its runs, see {@link RunFacts#problems}. */
  List<String> problemsOfRuns();

  /**
   * Adds the files of the report, from its facts alone.
   *
   * @param target the directory to which the files are added
   */
  void render(Path target, OutputFiles files);

  /** Returns its part of the index of all that was published together. */
  RunIndex.Part index();

  /** Returns the files of its report. */
  default OutputFiles rendered() {
    OutputFiles files = new OutputFiles(path());
    render(path(), files);
    return files;
  }

  /** Returns the size limit of all files but the page, in bytes. */
  default long maxBytes() {
    return logs() * MAX_BYTES;
  }

  /** Returns the sizes of all files in bytes, by their paths below the directory. */
  default SortedMap<String, Long> sizes() {
    SortedMap<String, Long> sizes = new TreeMap<>();
    try (Stream<Path> files = Files.walk(path())) {
      for (Path file : files.filter(each -> !Files.isDirectory(each)).toList()) {
        sizes.put(name(file), Files.size(file));
      }
    } catch (IOException impossible) {
      throw FileFailure.unreadable(path(), impossible);
    }
    return sizes;
  }

  /** Returns the size of all files but the page, in bytes. */
  default long bytesWithoutPage() {
    return sizes().entrySet().stream()
        .filter(each -> !each.getKey().equals(PAGE))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** Returns the path of a file below the directory. */
  default String name(Path file) {
    return path().relativize(file).toString().replace('\\', '/');
  }
}
