// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.text.WordUtils;
import org.junit.jupiter.api.Test;

/** Compares the page of the DSL with its source: types, public methods, and what Javadoc says. */
class DslReferenceTest {
  private static final Path HOME = Path.of(System.getProperty("quorate.home", ".."));
  private static final Path PAGE = HOME.resolve("src/site/markdown/reference/gatling-dsl.md");
  private static final Path SOURCES =
      HOME.resolve("bench-gatling/src/main/java/io/quorate/gatling");
  private static final int COLUMNS = 120;

  private static final List<String> TYPES =
      List.of("QuorateDsl", "StoreProtocol", "StoreActionBuilder", "KeyFeeder");

  private static final Pattern TYPE =
      Pattern.compile(
          "(?s)\n/\\*\\*(.*?)\\*/\n(?:@.*?\n)?public (?:abstract |final )*class (\\w+)");
  private static final Pattern METHOD =
      Pattern.compile(
          "(?s)\n  /\\*\\*((?:(?!\\*/).)*)\\*/\n(?:  @[^\n]*\n)*"
              + "  public (?:static |final )*[\\w<>.\\[\\]?, ]+? (\\w+)\\(([^{]*?)\\) \\{");
  private static final Pattern PARAMETER =
      Pattern.compile("([\\w.]+)(?:<[^>]*>)?(\\.\\.\\.|\\[\\])? \\w+");

  /** A method, and what it says about itself. */
  private record Documented(List<String> signatures, String text) {}

  @Test
  void the_page_of_the_dsl_is_what_its_source_says() throws IOException {
    StringBuilder page = new StringBuilder();
    page.append("# Gatling DSL\n\n");
    page.append(
        wrapped(
            "All types are in the package `io.quorate.gatling`, and entered by static imports of"
                + " `QuorateDsl`. Where a method accepts a `String`, it may contain Gatling's `#{...}`;"
                + " a `Function` gets the session of the user. Other arguments are the same for all users."
                + " A test compares this page with the code."
                + " The [tutorial](../tutorials/gatling-simulation.md) begins with less, and"
                + " [feeders, checks and assertions](../how-to/gatling-feeders.md) has recipes.",
            ""));
    for (String type : TYPES) {
      page.append(section(Files.readString(SOURCES.resolve(type + ".java"))));
    }
    Path written = Path.of("target", "gatling-dsl.md");
    Files.createDirectories(written.toAbsolutePath().getParent());
    Files.writeString(written, page);

    assertThat(PAGE)
        .as("copy %s after a change", written.toAbsolutePath())
        .hasContent(page.toString());
  }

  @Test
  void every_public_type_is_on_the_page() throws IOException {
    try (Stream<Path> sources = Files.list(SOURCES)) {
      List<String> types = new ArrayList<>();
      for (Path each : sources.toList()) {
        Matcher type = TYPE.matcher(Files.readString(each));
        if (type.find()) {
          types.add(type.group(2));
        }
      }
      // what an action of Gatling is, for both roads to a store
      types.remove("EventLoopAction");
      assertThat(TYPES).containsExactlyInAnyOrderElementsOf(types);
    }
  }

  private static String section(String source) {
    Matcher type = TYPE.matcher(source);
    assertThat(type.find()).isTrue();
    StringBuilder section = new StringBuilder("\n## " + type.group(2) + "\n\n");
    String about = type.group(1).replaceAll("(?s)<pre>.*?</pre>", "");
    for (String paragraph : about.split("<p>")) {
      section.append(wrapped(plain(paragraph), "")).append('\n');
    }
    Matcher method = METHOD.matcher(source);
    List<Documented> methods = new ArrayList<>();
    while (method.find()) {
      String signature = "`%s(%s)`".formatted(method.group(2), parameters(method.group(3)));
      String text = plain(method.group(1));
      Documented last = methods.isEmpty() ? null : methods.get(methods.size() - 1);
      if (last != null && last.text().equals(text)) {
        last.signatures().add(signature);
      } else {
        methods.add(new Documented(new ArrayList<>(List.of(signature)), text));
      }
    }
    for (Documented each : methods) {
      section.append(
          wrapped("- " + String.join(", ", each.signatures()) + ": " + each.text(), "  "));
    }
    return section.toString();
  }

  private static String parameters(String declared) {
    Matcher each = PARAMETER.matcher(declared);
    return each.results()
        .map(found -> found.group(1) + (found.group(2) == null ? "" : found.group(2)))
        .collect(Collectors.joining(", "));
  }

  /** Returns the text of Javadoc as Markdown, without its tags. */
  private static String plain(String javadoc) {
    return javadoc
        .replaceAll("(?m)^ *\\* ?", "")
        .replaceAll("(?s)\n@.*", "")
        .replaceAll("(?s)\\{@code\\s+([^{}]*(?:\\{[^}]*\\}[^{}]*)?)\\}", "`$1`")
        .replaceAll("(?s)\\{@link\\s+#(\\w+)\\s+([^}]+)\\}", "$2")
        .replaceAll("(?s)\\{@link\\s+(?:\\w+#)?#?(\\w+)\\}", "`$1`")
        .replaceAll("<p>", "")
        .replaceAll("\\s+", " ")
        .strip();
  }

  private static String wrapped(String text, String indent) {
    return WordUtils.wrap(text, COLUMNS - indent.length(), "\n" + indent, false) + "\n";
  }
}
