// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.format.AtomicFile;
import io.quorate.format.TextFile;
import io.quorate.report.page.PageTemplate;
import io.quorate.report.page.RunIndex;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.OpenRuns;
import io.quorate.results.RunArchive;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The runs and matrices that were published together, {@code results/<machine>/<date>}, and the
 * index of them.
 *
 * @param path absolute path
 */
public record PublishedRuns(Path path) {
  private static final Pattern DATE = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");

  public PublishedRuns {
    path = path.toAbsolutePath().normalize();
  }

  /**
   * Returns the directory with this path, which need not exist.
   *
   * @throws QuorateException if its name is not a date, or that above it cannot be one of a machine
   */
  static PublishedRuns at(Path path) {
    PublishedRuns runs = new PublishedRuns(path);
    if (!DATE.matcher(runs.date()).matches() || !NAME.matcher(runs.machine()).matches()) {
      throw new QuorateException(
          "%s: expected results/<machine>/<date>, such as results/lab-vm/2026-11-21"
              .formatted(VisibleText.of(path.toString())));
    }
    return runs;
  }

  /** Returns the directories of published runs below the directory of all results. */
  public static List<PublishedRuns> below(Path results) {
    return directories(results).stream()
        .flatMap(machine -> directories(machine).stream())
        .filter(date -> DATE.matcher(date.getFileName().toString()).matches())
        .map(PublishedRuns::new)
        .toList();
  }

  /** Returns whether a directory contains published runs. */
  static boolean isAt(Path path) {
    return directories(path).stream().anyMatch(OpenRuns::isPublished);
  }

  String machine() {
    Path above = path.getParent();
    return above == null || above.getFileName() == null ? "" : above.getFileName().toString();
  }

  String date() {
    return path.getFileName() == null ? "" : path.getFileName().toString();
  }

  Path index() {
    return path.resolve("index.html");
  }

  /** Returns the directories of all runs and matrices, by name. */
  public List<Path> directories() {
    return directories(path);
  }

  /** Returns all runs and matrices, by name. */
  List<PublishedRun> all(OpenRuns runs) {
    return directories().stream().map(each -> new PublishedRun(each, runs.files(each))).toList();
  }

  /** Returns the directories in a directory, by name; none if it does not exist. */
  static List<Path> directories(Path parent) {
    return Files.isDirectory(parent, LinkOption.NOFOLLOW_LINKS)
        ? DatabaseDirectory.entries(parent).stream()
            .filter(each -> Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS))
            .toList()
        : List.of();
  }

  /**
   * Returns the directory of the next run of a scenario: its name, with {@code -2} and so on if it
   * is taken.
   */
  Path next(String scenario, Collection<Path> planned) {
    String name = name(scenario);
    for (int number = 1; ; number++) {
      Path next = path.resolve(number == 1 ? name : name + "-" + number);
      if (!planned.contains(next) && !Files.exists(next, LinkOption.NOFOLLOW_LINKS)) {
        return next;
      }
    }
  }

  /** Returns the directory in which a run or matrix is published already; empty if it is not. */
  Optional<Path> find(Publication source) {
    Pattern names = Pattern.compile(Pattern.quote(name(source.name())) + "(-[0-9]+)?");
    return directories(path).stream()
        .filter(each -> names.matcher(each.getFileName().toString()).matches())
        .filter(OpenRuns::isPublished)
        .filter(
            each ->
                RunArchive.directory(each.resolve(RunArchive.NAME))
                    .equals(source.archive().directory()))
        .findFirst();
  }

  private static String name(String scenario) {
    return scenario.replaceAll("[^A-Za-z0-9._-]+", "-");
  }

  /**
   * Returns the problems of all runs, of the index and of the sums of all files.
   *
   * @param signers file with the keys that are trusted to sign; without it, any key is
   */
  public List<String> problems(OpenRuns runs, Optional<Path> signers) {
    List<String> problems = new ArrayList<>();
    if (directories().isEmpty()) {
      problems.add(path + ": contains no published run");
    }
    directories().forEach(each -> problems.addAll(new PublishedCheck(each, runs).problems()));
    if (problems.isEmpty()) {
      String expected = PublishedCheck.text(html(runs));
      boolean same =
          Files.isRegularFile(index(), LinkOption.NOFOLLOW_LINKS)
              && PublishedCheck.text(TextFile.read(index())).equals(expected);
      if (!same) {
        problems.add(
            index()
                + ": is not the index of these runs: run './quorate report' with its directory");
      }
    }
    problems.addAll(sums().problems(signers));
    return problems;
  }

  /** Writes the index of all runs, which replaces an earlier one, and the sums of all files. */
  void writeIndex(OpenRuns runs) {
    AtomicFile.write(index(), html(runs));
    sums().write();
  }

  PublishedSums sums() {
    return new PublishedSums(path);
  }

  private String html(OpenRuns runs) {
    String title = "Example results: %s, %s".formatted(machine(), date());
    List<RunIndex.Part> parts = all(runs).stream().map(PublishedRun::index).toList();
    return PageTemplate.html("published.html.ftl", RunIndex.of(title, parts));
  }
}
