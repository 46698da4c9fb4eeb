// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.format.OutputFiles;
import io.quorate.report.page.RunFiles;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.OpenRuns;
import io.quorate.results.RunArchive;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Checks what is published in a directory: its archive, its runs and its report.
 *
 * @param path its directory
 */
record PublishedCheck(Path path, OpenRuns runs) {
  private static final Set<String> KEPT = Set.of(RunArchive.NAME, RunFiles.REPRODUCED);

  /**
   * Returns what keeps it from being published: a missing archive and other files, incomplete runs,
   * counts that do not agree, and an outdated report. Each problem names the file.
   */
  List<String> problems() {
    if (!OpenRuns.isPublished(path)) {
      return List.of(problem(RunArchive.NAME, "is missing"));
    }
    List<String> problems = new ArrayList<>();
    try {
      PublishedRun published = PublishedRuns.run(path, runs);
      published.problems().forEach(each -> problems.add(problem(".", each)));
      published.others().forEach(each -> problems.add(problem(RunArchive.NAME, each)));
      if (problems.isEmpty()) {
        reportProblems(published.rendered(), problems);
      }
    } catch (QuorateException unreadable) {
      problems.add(unreadable.getMessage());
    }
    return problems.stream().map(runs::named).toList();
  }

  private void reportProblems(OutputFiles rendered, List<String> problems) {
    for (Path file : DatabaseDirectory.files(path)) {
      String name = name(file);
      if (Files.isSymbolicLink(file) || !KEPT.contains(name) && !rendered.has(file)) {
        problems.add(problem(name, "does not belong to a published run"));
      }
    }
    rendered.forEach(
        (file, content) -> {
          String name = name(file);
          try {
            if (!Files.exists(file)) {
              problems.add(problem(name, "is missing"));
            } else if (!says(file, content)) {
              problems.add(
                  problem(
                      name,
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
    if (name.endsWith(".svg") || name.endsWith(".png")) {
      return true;
    }
    String found = Files.readString(file);
    String expected = new String(content, StandardCharsets.UTF_8);
    return name.endsWith(".html") ? text(found).equals(text(expected)) : found.equals(expected);
  }

  static String text(String html) {
    return html.replaceAll("(?s)<(script|style|svg)\\b.*?</\\1>", " ")
        .replaceAll("(?s)<[^>]*>", " ")
        .replaceAll("\\s+", " ")
        .strip();
  }

  private String name(Path file) {
    return path.relativize(file).toString().replace('\\', '/');
  }

  private String problem(String name, String what) {
    return path.resolve(name).normalize() + ": " + what;
  }
}
