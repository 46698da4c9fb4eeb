// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.format.AtomicFile;
import io.quorate.format.TextFile;
import io.quorate.report.figures.RunFigures;
import io.quorate.report.page.PageTemplate;
import io.quorate.report.page.RunIndex;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.RunArchive;
import io.quorate.results.RunDirectory;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The runs that were published together, {@code results/<machine>/<date>}, and the index of them.
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
  public static List<PublishedRuns> all(Path results) {
    return directories(results).stream()
        .flatMap(machine -> directories(machine).stream())
        .filter(date -> DATE.matcher(date.getFileName().toString()).matches())
        .map(PublishedRuns::new)
        .toList();
  }

  /** Returns whether a directory contains published runs. */
  static boolean isAt(Path path) {
    return new PublishedRuns(path)
        .runs().stream().anyMatch(each -> PublishedRun.isAt(each.directory().path()));
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

  /** Returns all runs, by name. */
  List<PublishedRun> runs() {
    return directories(path).stream().map(RunDirectory::new).map(PublishedRun::new).toList();
  }

  private static List<Path> directories(Path parent) {
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
  RunDirectory next(String scenario, Collection<RunDirectory> planned) {
    String name = name(scenario);
    for (int number = 1; ; number++) {
      RunDirectory next = new RunDirectory(path.resolve(number == 1 ? name : name + "-" + number));
      if (!planned.contains(next) && !Files.exists(next.path(), LinkOption.NOFOLLOW_LINKS)) {
        return next;
      }
    }
  }

  /**
   * Returns the published run of a scenario with this name of the original run; empty if there is
   * none.
   */
  Optional<RunDirectory> find(String scenario, String run) {
    Pattern names = Pattern.compile(Pattern.quote(name(scenario)) + "(-[0-9]+)?");
    return runs().stream()
        .map(PublishedRun::directory)
        .filter(each -> names.matcher(each.id()).matches() && PublishedRun.isAt(each.path()))
        .filter(each -> RunArchive.read(each.path().resolve(RunArchive.NAME)).run().equals(run))
        .findFirst();
  }

  private static String name(String scenario) {
    return scenario.replaceAll("[^A-Za-z0-9._-]+", "-");
  }

  /** Returns the problems of all runs, see {@link PublishedRun#problems}. */
  public List<String> problems() {
    List<String> problems = new ArrayList<>();
    if (runs().isEmpty()) {
      problems.add(path + ": contains no published run");
    }
    runs().forEach(each -> problems.addAll(each.problems()));
    if (problems.isEmpty()) {
      String expected = PublishedRun.text(html());
      boolean same =
          Files.isRegularFile(index(), LinkOption.NOFOLLOW_LINKS)
              && PublishedRun.text(TextFile.read(index())).equals(expected);
      if (!same) {
        problems.add(
            index()
                + ": is not the index of these runs: run './quorate report' with its directory");
      }
    }
    return problems;
  }

  /** Writes the index of all runs, which replaces an earlier one. */
  void writeIndex() {
    AtomicFile.write(index(), html());
  }

  private String html() {
    List<RunIndex.Run> runs = new ArrayList<>();
    for (PublishedRun each : runs()) {
      String name = each.directory().path().getFileName().toString();
      runs.add(each.read(run -> new RunIndex.Run(name, RunFigures.of(run))));
    }
    String title = "Example results: %s, %s".formatted(machine(), date());
    return PageTemplate.html("published.html.ftl", RunIndex.of(title, runs));
  }
}
