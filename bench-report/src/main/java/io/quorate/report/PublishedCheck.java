// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import static io.quorate.format.NumberFormats.commas;

import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.format.OutputFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Checks what is published in a directory: its files, its runs, its report and its size. */
record PublishedCheck(Published published) {
  /**
   * Returns what keeps it from being published: missing and other files, incomplete runs, counts
   * that do not agree, and an outdated report. Each problem names the file.
   */
  List<String> problems() {
    List<String> problems = new ArrayList<>();
    try {
      for (String name : published.facts()) {
        if (!Files.isRegularFile(file(name), LinkOption.NOFOLLOW_LINKS)) {
          problems.add(problem(name, "is missing"));
        }
      }
      if (problems.isEmpty()) {
        published.problemsOfRuns().forEach(each -> problems.add(problem(".", each)));
        reportProblems(problems);
        sizeProblem(problems);
      }
    } catch (QuorateException unreadable) {
      problems.add(unreadable.getMessage());
    }
    return problems;
  }

  private void sizeProblem(List<String> problems) {
    long bytes = published.bytesWithoutPage();
    if (bytes > published.maxBytes()) {
      problems.add(
          problem(
              ".",
              "has %s bytes without the page, expected at most %s"
                  .formatted(commas(bytes), commas(published.maxBytes()))));
    }
  }

  private void reportProblems(List<String> problems) {
    OutputFiles rendered = published.rendered();
    List<String> facts = published.facts();
    for (String name : published.sizes().keySet()) {
      Path file = file(name);
      if (Files.isSymbolicLink(file) || !facts.contains(name) && !rendered.has(file)) {
        problems.add(problem(name, "does not belong to a published run"));
      }
    }
    rendered.forEach(
        (file, content) -> {
          String name = published.name(file);
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

  private Path file(String name) {
    return published.path().resolve(name);
  }

  private String problem(String name, String what) {
    return file(name).normalize() + ": " + what;
  }
}
