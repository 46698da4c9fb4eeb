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
import java.util.regex.Matcher;
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
  /** A line of a list that withdraws something, or seems to. */
  private static final Pattern BEGINNING =
      Pattern.compile(
          "(?im)^[ \\t]*[-*+][ \\t]+[*_`]*withdrawn\\b"
              + "(?:[*_` \\t]*:|.*[^/\\s]+/[^/\\s]+/[^/\\s]).*$");

  private static final Pattern LINE =
      Pattern.compile(
          "(?i)[ \\t]*[-*+][ \\t]+withdrawn:[ \\t]*`?(?:results/)?"
              + "([^/\\s`]+/[^/\\s`]+/[^/\\s`]+)/?`?[ \\t]*");

  /** Returns the errata of a directory of all results. */
  public static Errata of(Path results) {
    Path file = results.resolve("ERRATA.md");
    Set<String> withdrawn = new TreeSet<>();
    List<String> wrong = new ArrayList<>();
    if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      String text = TextFile.read(file);
      for (MatchResult line : (Iterable<MatchResult>) BEGINNING.matcher(text).results()::iterator) {
        Matcher run = LINE.matcher(line.group());
        if (run.matches()) {
          withdrawn.add(run.group(1));
        } else {
          wrong.add(line.group());
        }
      }
    }
    return new Errata(file, withdrawn, wrong);
  }

  /** Returns the sentence with which the page of a withdrawn run begins; none for other runs. */
  public static List<String> warning(Path published) {
    return withdrawal(published)
        .map(
            any ->
                "This run is withdrawn: do not use its values. The errata of the results say why.")
        .stream()
        .toList();
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
