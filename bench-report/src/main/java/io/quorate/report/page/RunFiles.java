// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.page;

import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.format.OutputFiles;
import io.quorate.report.page.Page.Link;
import io.quorate.report.plot.Plot;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.DatabaseRun;
import io.quorate.results.ExperimentRun;
import io.quorate.results.ImportedRun;
import io.quorate.results.RunDirectory;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The files of a run to which a page can link: existing regular files below its directory.
 *
 * @param directory directory of the page: the run's, or the one in which it is published
 */
public record RunFiles(RunDirectory directory, ExperimentRun run, OutputFiles planned) {
  /** Says how later runs repeated a published one; its page does not depend on them. */
  public static final String REPRODUCED = "reproduced-by.json";

  private static final String DRAFT = ".tmp";
  private static final int MAX_FILES = 10_000;

  /** Names the report that has the same operations, but rounds their times. */
  private static final String GATLING =
      "Gatling's report (whole milliseconds and no warm-up; this page is authoritative)";

  public RunFiles(ExperimentRun run, OutputFiles planned) {
    this(run.directory(), run, planned);
  }

  /** Returns whether the page is published elsewhere, as an example. */
  boolean isPublished() {
    return !directory.equals(run.directory());
  }

  /**
   * Returns the files by directory: the run's directory, then the directories of its columns;
   * without the page itself.
   */
  public List<Page.Files> all() {
    List<Page.Files> all = new ArrayList<>();
    List<Link> own = new ArrayList<>();
    for (Path file : regularFiles(directory().path())) {
      if (!file.equals(directory().page())) {
        own.add(link(file));
      }
    }
    add(all, "The run", own);
    for (DatabaseRun database : run.databases()) {
      List<Link> links = new ArrayList<>();
      DatabaseDirectory files =
          new DatabaseDirectory(directory.path().resolve(database.directory().id()));
      for (Path page : files.gatlingReports()) {
        links.add(new Link(GATLING, href(directory().path(), page)));
      }
      regularFiles(files.path()).forEach(file -> links.add(link(file)));
      for (Path log : regularFiles(files.path().resolve("logs"))) {
        links.add(new Link("logs/" + link(log).text(), link(log).href()));
      }
      add(all, VisibleText.of(files.id()), links);
    }
    for (ImportedRun imported : run.imports()) {
      Path files = directory.path().resolve(imported.directory().getFileName());
      add(
          all,
          VisibleText.of(imported.tag()),
          regularFiles(files).stream().map(this::link).toList());
    }
    return all;
  }

  /** Returns links to the picture of a plot and to its data, as far as these files exist. */
  public List<Link> of(Plot plot) {
    return Stream.of(".svg", ".png", ".csv")
        .map(ending -> directory().plots().resolve(plot.name() + ending).normalize())
        .filter(file -> directory().plots().equals(file.getParent()))
        .filter(file -> planned.has(file) || isRegular(file))
        .map(this::link)
        .toList();
  }

  private static void add(List<Page.Files> all, String name, List<Link> links) {
    if (!links.isEmpty()) {
      all.add(new Page.Files(name, links));
    }
  }

  private Link link(Path file) {
    return new Link(VisibleText.of(file.getFileName().toString()), href(directory().path(), file));
  }

  private List<Path> regularFiles(Path in) {
    SortedSet<Path> files = new TreeSet<>(planned.in(in));
    if (Files.isDirectory(in, LinkOption.NOFOLLOW_LINKS)) {
      try (Stream<Path> entries = Files.list(in)) {
        entries
            .filter(RunFiles::isRegular)
            .filter(file -> !file.getFileName().toString().endsWith(DRAFT))
            .filter(file -> !file.getFileName().toString().equals(REPRODUCED))
            .limit(MAX_FILES)
            .forEach(files::add);
      } catch (IOException impossible) {
        throw new QuorateException(
            in + ": cannot be read: " + FileFailure.reason(impossible), impossible);
      }
    }
    return List.copyOf(files);
  }

  private static boolean isRegular(Path file) {
    return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
  }

  /** Returns a link from a page in a directory to a file below it, whatever its name is. */
  static String href(Path directory, Path file) {
    Path home = directory.toAbsolutePath().normalize();
    List<String> names = new ArrayList<>();
    home.relativize(file.toAbsolutePath().normalize())
        .forEach(
            name ->
                names.add(
                    URLEncoder.encode(name.toString(), StandardCharsets.UTF_8)
                        .replace("+", "%20")));
    return String.join("/", names);
  }
}
