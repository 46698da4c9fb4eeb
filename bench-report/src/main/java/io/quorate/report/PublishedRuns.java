// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.format.OutputFiles;
import io.quorate.format.StrictJson;
import io.quorate.format.TextFile;
import io.quorate.report.compare.Agreement;
import io.quorate.report.page.PageTemplate;
import io.quorate.report.page.RunFiles;
import io.quorate.report.page.RunIndex;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.Errata;
import io.quorate.results.MatrixDirectory;
import io.quorate.results.OpenRuns;
import io.quorate.results.RunArchive;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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

  /**
   * Returns the directories of published runs below that of all results, without unreadable ones.
   */
  public static List<PublishedRuns> below(Path results) {
    return directories(results).stream()
        .flatMap(machine -> dates(machine).stream())
        .map(PublishedRuns::new)
        .toList();
  }

  private static List<Path> dates(Path machine) {
    return Stream.of(machine)
        .filter(Files::isReadable)
        .flatMap(each -> directories(each).stream())
        .filter(date -> DATE.matcher(date.getFileName().toString()).matches())
        .filter(Files::isReadable)
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
    return directories().stream().map(each -> run(each, runs)).toList();
  }

  /**
   * Returns a run or matrix of this day, with its repeats, of which none is withdrawn. Those that
   * cannot be unpacked are left out: their own check says why.
   */
  static PublishedRun run(Path path, OpenRuns runs) {
    Path files = runs.files(path);
    List<Path> repeats =
        MatrixDirectory.isAt(files) || Errata.withdrawal(path).isPresent()
            ? List.of()
            : directories(Objects.requireNonNull(path.getParent())).stream()
                .filter(each -> isSameScenario(path, each) && OpenRuns.isPublished(each))
                .filter(each -> Errata.withdrawal(each).isEmpty())
                .flatMap(each -> readable(() -> runs.files(each)).stream())
                .filter(each -> !MatrixDirectory.isAt(each))
                .toList();
    return new PublishedRun(path, files, repeats);
  }

  /** Returns what is read; empty if it is unreadable. */
  static <T> Optional<T> readable(Supplier<T> read) {
    try {
      return Optional.of(read.get());
    } catch (QuorateException unreadable) {
      return Optional.empty();
    }
  }

  /** Renders the reports of runs of this day anew whose repeats have changed, and returns them. */
  List<OutputFiles> renderRepeats(Collection<Path> published, OpenRuns runs) {
    return all(runs).stream()
        .filter(each -> each.repeats().size() > 1)
        .filter(each -> published.stream().anyMatch(run -> isSameScenario(each.path(), run)))
        .map(PublishedRun::written)
        .toList();
  }

  /** Returns the directories in a directory, by name; none if it does not exist. */
  static List<Path> directories(Path parent) {
    return Files.isDirectory(parent, LinkOption.NOFOLLOW_LINKS)
        ? DatabaseDirectory.directories(parent)
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
   * Returns the problems of all runs, of the index, of the sums of all files and of their
   * signature.
   *
   * @param signers file with the keys that are trusted to sign; without it, any key is
   */
  public List<String> problems(OpenRuns runs, Optional<Path> signers) {
    return Stream.concat(problems(runs).stream(), sums().signatureProblem(signers).stream())
        .toList();
  }

  /** Returns the problems of all runs, of the index and of the sums of all files. */
  List<String> problems(OpenRuns runs) {
    if (directories().isEmpty()) {
      String dates =
          dates(path.resolve("..").normalize()).stream()
              .map(each -> each.getFileName().toString())
              .collect(Collectors.joining(", "));
      return List.of(
          path + ": contains no published run" + (dates.isEmpty() ? "" : "; next to it: " + dates));
    }
    List<String> problems = new ArrayList<>();
    directories().forEach(each -> problems.addAll(new PublishedCheck(each, runs).problems()));
    if (problems.isEmpty()) {
      OutputFiles files = derived(runs);
      unfounded(files)
          .forEach(each -> problems.add(each + ": names no later run that is published here"));
      files.forEach(
          (file, content) -> {
            String expected = new String(content, StandardCharsets.UTF_8);
            boolean same =
                Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                    && PublishedCheck.text(TextFile.read(file))
                        .equals(PublishedCheck.text(expected));
            if (!same) {
              problems.add(
                  file
                      + ": is not what these runs say: run './quorate report' with the"
                      + " directory of the date");
            }
          });
    }
    Errata errata = errata();
    errata.withdrawn().stream()
        .filter(each -> !OpenRuns.isPublished(results().resolve(each)))
        .map(each -> errata.file() + ": withdraws " + each + ", which is not published")
        .forEach(problems::add);
    errata.wrong().stream()
        .map(
            line ->
                "%s: found '%s', expected '- Withdrawn: results/MACHINE/DATE/RUN' and nothing else"
                    .formatted(errata.file(), VisibleText.of(line)))
        .forEach(problems::add);
    problems.addAll(sums().problems());
    return problems;
  }

  /**
   * Writes the index and the gallery of all runs, which replace earlier ones, how later runs
   * repeated them, and the sums of these files.
   *
   * @param written what was written before, whose sums are renewed, too
   */
  void writeIndex(OpenRuns runs, List<OutputFiles> written) {
    OutputFiles files = derived(runs);
    unfounded(files).forEach(each -> each.toFile().delete());
    files.write();
    sums().write(Stream.concat(written.stream(), Stream.of(files)).toList());
  }

  /** Writes the index of each other day with a run of the same scenario as one of some runs. */
  List<PublishedRuns> writeOthers(Collection<Path> published, OpenRuns runs) {
    List<PublishedRuns> others =
        others().stream()
            .filter(
                other ->
                    other.directories().stream()
                        .anyMatch(
                            each -> published.stream().anyMatch(run -> isSameScenario(each, run))))
            .toList();
    others.forEach(each -> each.writeIndex(runs, List.of()));
    return others;
  }

  private List<PublishedRuns> others() {
    return below(results()).stream().filter(each -> !each.equals(this)).toList();
  }

  /** Returns which archives and scenarios of all results differ from their sums. */
  List<String> changed() {
    return below(results()).stream().flatMap(each -> each.sums().changed().stream()).toList();
  }

  /** Returns the files about repetitions that no published run supports. */
  private List<Path> unfounded(OutputFiles derived) {
    return directories().stream()
        .map(each -> each.resolve(RunFiles.REPRODUCED))
        .filter(each -> Files.exists(each, LinkOption.NOFOLLOW_LINKS) && !derived.has(each))
        .toList();
  }

  private static boolean isSameScenario(Path one, Path other) {
    Path file = one.resolve(PublishedRun.SCENARIO);
    Path second = other.resolve(PublishedRun.SCENARIO);
    return Files.isRegularFile(file)
        && Files.isRegularFile(second)
        && TextFile.read(file).equals(TextFile.read(second));
  }

  /** Returns how runs of other machines or days repeated a run; none with a withdrawn run. */
  private List<Agreement> agreements(Path run, OpenRuns runs) {
    return others().stream()
        .flatMap(other -> other.directories().stream())
        .filter(each -> isSameScenario(run, each))
        .filter(each -> Stream.of(run, each).allMatch(it -> Errata.withdrawal(it).isEmpty()))
        .flatMap(each -> readable(() -> Agreement.of(run, each, runs)).stream())
        .flatMap(Optional::stream)
        .toList();
  }

  PublishedSums sums() {
    return new PublishedSums(path);
  }

  /** Returns the directory of all results. */
  private Path results() {
    return path.resolve("../..").normalize();
  }

  private Errata errata() {
    return Errata.of(results());
  }

  /** Returns the files that follow from all runs of the results: index, gallery, repetitions. */
  private OutputFiles derived(OpenRuns runs) {
    OutputFiles files = new OutputFiles(path);
    List<RunIndex.Part> parts = new ArrayList<>();
    for (PublishedRun each : all(runs)) {
      List<Agreement> agreements = agreements(each.path(), runs);
      if (!agreements.isEmpty()) {
        files.add(each.path().resolve(RunFiles.REPRODUCED), StrictJson.text(agreements));
      }
      parts.add(each.index(agreements));
    }
    RunIndex index =
        RunIndex.of(
            "Example results: %s, %s".formatted(machine(), date()),
            parts,
            Files.exists(errata().file()));
    files.add(index(), PageTemplate.html("published.html.ftl", index));
    files.add(path.resolve("gallery.html"), PageTemplate.html("gallery.html.ftl", index));
    return files;
  }
}
