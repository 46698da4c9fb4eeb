// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import static io.quorate.format.NumberFormats.commas;

import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.format.OutputFiles;
import io.quorate.install.DirectoryTree;
import io.quorate.report.page.RunReadme;
import io.quorate.report.table.RowLabels;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.ExperimentRun;
import io.quorate.results.RunArchive;
import io.quorate.results.RunDirectory;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.StepUsage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A run in a directory that is committed to Git, {@code results/<machine>/<date>/<scenario>}. It
 * has the manifest and the latencies of each database, a compressed file with all other files that
 * the report reads, and the report: the page, its text, a few plots, and the results for programs.
 *
 * @param directory its directory, which has the name of the scenario
 */
public record PublishedRun(RunDirectory directory) {
  /** Size limit of a run without its page, in bytes for each database. */
  private static final long MAX_BYTES = 300_000;

  static final String SCENARIO = "scenario.yaml";

  /** Returns whether a directory contains a published run. */
  public static boolean isAt(Path path) {
    return Files.isRegularFile(path.resolve(RunArchive.NAME), LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * Unpacks the run, reads it and removes the unpacked files afterwards.
   *
   * @param use receives the run, whose files exist until it returns
   * @throws QuorateException if a file cannot be read
   */
  public <T> T read(Function<ExperimentRun, T> use) {
    RunArchive archive = RunArchive.read(directory.path().resolve(RunArchive.NAME));
    // an unreadable manifest is named before it is copied
    directory.databases().forEach(database -> Manifest.read(database.manifest()));
    try {
      Path unpacked = Files.createTempDirectory("quorate-published-");
      try {
        Path run = unpacked.resolve(archive.run());
        for (Map.Entry<String, byte[]> file : archive.files().entrySet()) {
          write(run.resolve(file.getKey()), file.getValue());
        }
        for (DatabaseDirectory database : directory.databases()) {
          DatabaseDirectory copy = new DatabaseDirectory(run.resolve(database.id()));
          copy(database.manifest(), copy.manifest());
          copy(database.latencyLog(), copy.latencyLog());
          FewerSamples.interpolate(copy);
        }
        return use.apply(ExperimentRun.read(run));
      } finally {
        new DirectoryTree(unpacked).remove();
      }
    } catch (IOException impossible) {
      throw FileFailure.exception(directory + ": cannot be unpacked", impossible);
    }
  }

  private static void write(Path file, byte[] content) throws IOException {
    Files.createDirectories(file.getParent());
    Files.write(file, content);
  }

  private static void copy(Path file, Path copy) throws IOException {
    if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      Files.createDirectories(copy.getParent());
      Files.copy(file, copy);
    }
  }

  /** Returns the size limit of a run without its page, in bytes. */
  static long maxBytes(int databases) {
    return databases * MAX_BYTES;
  }

  /** Returns the files of the report, from the other files alone. */
  OutputFiles rendered() {
    return read(
        run -> {
          OutputFiles files = new OutputFiles(directory.path());
          new RunReport(run, RowLabels.LATER).addPublished(directory, files);
          return files;
        });
  }

  /** Returns the sizes of all files in bytes, by their paths below the directory. */
  SortedMap<String, Long> sizes() {
    SortedMap<String, Long> sizes = new TreeMap<>();
    try (Stream<Path> files = Files.walk(directory.path())) {
      for (Path file : files.filter(each -> !Files.isDirectory(each)).toList()) {
        sizes.put(name(file), Files.size(file));
      }
    } catch (IOException impossible) {
      throw FileFailure.unreadable(directory.path(), impossible);
    }
    return sizes;
  }

  /** Returns the size of all files but the page, in bytes. */
  long bytesWithoutPage() {
    return sizes().entrySet().stream()
        .filter(each -> !each.getKey().equals(name(directory.page())))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  private String name(Path file) {
    return directory.path().relativize(file).toString().replace('\\', '/');
  }

  /**
   * Returns what keeps the run from being published: missing and other files, an incomplete run,
   * counts that do not agree, and an outdated report. Each problem names the file.
   */
  List<String> problems() {
    List<String> problems = new ArrayList<>();
    try {
      SortedMap<String, Long> sizes = sizes();
      for (String name :
          List.of(RunReadme.NAME, "index.html", "result.json", SCENARIO, RunArchive.NAME)) {
        if (!sizes.containsKey(name)) {
          problems.add(problem(name, "is missing"));
        }
      }
      if (isAt(directory.path())) {
        problems.addAll(read(this::problems));
        reportProblems(problems);
      }
      long most = maxBytes(directory.databases().size());
      if (bytesWithoutPage() > most) {
        problems.add(
            problem(
                ".",
                "has %s bytes without the page, expected at most %s"
                    .formatted(commas(bytesWithoutPage()), commas(most))));
      }
    } catch (QuorateException unreadable) {
      problems.add(unreadable.getMessage());
    }
    return problems;
  }

  private List<String> problems(ExperimentRun run) {
    List<String> problems = new ArrayList<>();
    Publication.problems(run).forEach(each -> problems.add(problem(".", each)));
    for (var database : run.databases()) {
      long requests =
          database.clients().map(each -> each.successCount() + each.errorCount()).orElse(0L);
      long recorded = database.manifest().costs().stream().mapToLong(StepUsage::requests).sum();
      if (recorded > 0 && recorded != requests) {
        problems.add(
            problem(
                database.directory().id() + "/manifest.json",
                "its steps have %s requests, and result.json has %s"
                    .formatted(commas(recorded), commas(requests))));
      }
    }
    return problems;
  }

  private void reportProblems(List<String> problems) {
    OutputFiles rendered = rendered();
    List<String> facts = new ArrayList<>(List.of(SCENARIO, RunArchive.NAME));
    for (DatabaseDirectory each : directory.databases()) {
      facts.add(name(each.manifest()));
      facts.add(name(each.latencyLog()));
    }
    for (String name : sizes().keySet()) {
      Path file = directory.path().resolve(name);
      if (Files.isSymbolicLink(file) || !facts.contains(name) && !rendered.has(file)) {
        problems.add(problem(name, "does not belong to a published run"));
      }
    }
    rendered.forEach(
        (file, content) -> {
          try {
            if (!Files.exists(file)) {
              problems.add(problem(name(file), "is missing"));
            } else if (!says(file, content)) {
              problems.add(
                  problem(
                      name(file),
                      "is not what the other files say: run './quorate report' with its "
                          + "directory"));
            }
          } catch (IOException unreadable) {
            problems.add(FileFailure.unreadable(file, unreadable).getMessage());
          }
        });
  }

  /**
   * Returns whether a file says the same as its new rendering. Pages may differ in their styles,
   * scripts and drawings, which change with the program; results and texts may not.
   */
  private static boolean says(Path file, byte[] content) throws IOException {
    String name = file.getFileName().toString();
    String found = Files.readString(file);
    String expected = new String(content, StandardCharsets.UTF_8);
    return name.endsWith(".svg")
        || (name.endsWith(".html") ? text(found).equals(text(expected)) : found.equals(expected));
  }

  /** Returns the text of a page. */
  static String text(String html) {
    return html.replaceAll("(?s)<(script|style|svg)\\b.*?</\\1>", " ")
        .replaceAll("(?s)<[^>]*>", " ")
        .replaceAll("\\s+", " ")
        .strip();
  }

  private String problem(String name, String what) {
    return directory.path().resolve(name).normalize() + ": " + what;
  }
}
