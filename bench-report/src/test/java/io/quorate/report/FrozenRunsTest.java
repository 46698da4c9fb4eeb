// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/**
 * Real runs, frozen, and the files that the report made of them: tables, the text of the page,
 * result.json and the files in dbtester's formats. A change of the report changes them only on
 * purpose. The files that the test has made are in target/frozen, to be looked at and, if a change
 * is meant, copied to src/test/resources.
 */
class FrozenRunsTest {
  private static final Path MADE = Path.of("target", "frozen");
  private static final String PAGE_TEXT = "page.txt";

  @TempDir Path results;

  @ParameterizedTest
  @ValueSource(strings = {"closed", "open", "watch", "capacity"})
  void theReportOfARealRunStaysAsItIs(String name) throws IOException {
    Path run = results.resolve("frozen-" + name).resolve("20261125T110000Z");
    copy(resource("frozen/" + name), run);

    new CommandLine(new ReportCommand())
        .setOut(new PrintWriter(new StringWriter()))
        .execute(run.toString());

    Map<String, String> made = made(run);
    made.replaceAll((file, text) -> text.replace(results.getFileName().toString(), "RESULTS"));
    for (var file : made.entrySet()) {
      Path copy = MADE.resolve(name).resolve(file.getKey());
      Files.createDirectories(copy.getParent());
      Files.writeString(copy, file.getValue());
    }
    Map<String, String> expected = texts(resource("frozen-reports/" + name));
    assertThat(made.keySet()).isEqualTo(expected.keySet());
    SoftAssertions files = new SoftAssertions();
    expected.forEach((file, text) -> files.assertThat(made.get(file)).as(file).isEqualTo(text));
    files.assertAll();
  }

  /**
   * What the report has made of a run, by the name of the file: all that is not a picture, and the
   * page as text.
   */
  private static Map<String, String> made(Path run) throws IOException {
    Map<String, String> texts = new TreeMap<>();
    for (Path file : files(run)) {
      String name = run.relativize(file).toString();
      if (name.matches("all-aggregated\\..*|result\\.json|limits\\.xml|plots/.*\\.csv")
          || name.matches(
              "[a-z]+/(summary\\.txt|.*-all-aggregated\\.csv|client-latency-.*\\.csv)")) {
        texts.put(name, Files.readString(file));
      } else if (name.equals("index.html")) {
        texts.put(PAGE_TEXT, text(Files.readString(file)));
      }
    }
    return texts;
  }

  /** The text of a page, one line for each piece of text. */
  private static String text(String html) {
    return html.replaceAll("(?s)<(script|style|svg)\\b.*?</\\1>", "\n")
        .replaceAll("<[^>]*>", "\n")
        .replace("&nbsp;", " ")
        .replaceAll("[ \t]+", " ")
        .replaceAll(" ?\n ?", "\n")
        .replaceAll("\n{2,}", "\n")
        .strip();
  }

  private static Map<String, String> texts(Path directory) throws IOException {
    Map<String, String> texts = new TreeMap<>();
    for (Path file : files(directory)) {
      texts.put(directory.relativize(file).toString(), Files.readString(file));
    }
    return texts;
  }

  private static void copy(Path from, Path to) throws IOException {
    for (Path file : files(from)) {
      Path copy = to.resolve(from.relativize(file).toString());
      Files.createDirectories(copy.getParent());
      Files.copy(file, copy);
    }
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static Path resource(String name) {
    try {
      return Path.of(FrozenRunsTest.class.getResource(name).toURI());
    } catch (URISyntaxException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
