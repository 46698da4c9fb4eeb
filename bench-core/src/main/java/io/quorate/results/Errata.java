// SPDX-License-Identifier: Apache-2.0
package io.quorate.results;

import io.quorate.format.TextFile;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The mistakes in published results, {@code ERRATA.md} in the directory of all results. A line of a
 * list withdraws a run, which stays readable: {@code - Withdrawn: results/<machine>/<date>/<run>}.
 *
 * @param file its path; the file need not exist
 * @param withdrawn machine, date and name of each withdrawn run
 * @param wrong lines that begin like a withdrawal, and are none
 */
public record Errata(Path file, Set<String> withdrawn, List<String> wrong) {
  private static final Pattern BEGINNING = Pattern.compile("(?m)^- Withdrawn:.*$");

  private static final Pattern LINE =
      Pattern.compile("(?m)^- Withdrawn: `?(?:results/)?([^/\\s`]+/[^/\\s`]+/[^/\\s`]+)/?`?\\s*$");

  /** Returns the errata of a directory of all results. */
  public static Errata of(Path results) {
    Path file = results.resolve("ERRATA.md");
    Set<String> withdrawn = new TreeSet<>();
    List<String> wrong = new ArrayList<>();
    if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      String text = TextFile.read(file);
      LINE.matcher(text).results().forEach(line -> withdrawn.add(line.group(1)));
      BEGINNING
          .matcher(text)
          .results()
          .map(MatchResult::group)
          .filter(line -> !LINE.matcher(line).matches())
          .forEach(wrong::add);
    }
    return new Errata(file, withdrawn, wrong);
  }

  /** Returns why a published run must not be used; empty if it is not withdrawn. */
  public static Optional<String> withdrawal(Path published) {
    Path run = published.toAbsolutePath().normalize();
    Path results = run.resolve("../../..").normalize();
    if (!OpenRuns.isPublished(run) || run.getNameCount() < 4) {
      return Optional.empty();
    }
    Errata errata = of(results);
    String name = results.relativize(run).toString().replace('\\', '/');
    return Optional.of("%s is withdrawn (%s).".formatted(name, errata.file))
        .filter(any -> errata.withdrawn.contains(name));
  }
}
