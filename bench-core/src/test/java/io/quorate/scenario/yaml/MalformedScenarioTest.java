// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The scenarios of {@code malformed-scenarios.txt}, and of {@code malformed-requests.txt} those of
 * operations, lengths and loads; and what is said about each, to the letter.
 */
class MalformedScenarioTest {
  private static final Pattern CASE =
      Pattern.compile(
          "^### (?<what>.*) \\((?<by>the schema too|the reader only)\\)\n"
              + "(?<yaml>(?:(?!>>> ).*\n)*?)"
              + "(?<message>(?:>>> .*\n)+)",
          Pattern.MULTILINE);

  private record Malformed(String what, boolean schemaRefuses, String yaml, String message) {
    @Override
    public String toString() {
      return what;
    }
  }

  @ParameterizedTest
  @MethodSource("malformed")
  void each_file_is_refused_with_exactly_its_message(Malformed file) {
    assertThat(problemsOf(file.yaml)).hasMessage(file.message);
  }

  @ParameterizedTest
  @MethodSource("malformed")
  void the_messages_are_the_same_in_every_language(Malformed file) {
    Locale before = Locale.getDefault();
    try {
      for (String language : List.of("ar-EG-u-nu-arab", "tr")) {
        Locale.setDefault(Locale.forLanguageTag(language));
        assertThat(problemsOf(file.yaml)).as(language).hasMessage(file.message);
      }
    } finally {
      Locale.setDefault(before);
    }
  }

  @ParameterizedTest
  @MethodSource("malformedForTheSchemaToo")
  void the_schema_refuses_what_a_schema_can_refuse(Malformed file) {
    assertThat(EditorSchema.accepts(file.yaml)).isFalse();
  }

  @Test
  void there_are_many_such_files() {
    assertThat(malformed()).hasSizeGreaterThan(200);
  }

  private static InvalidScenarioException problemsOf(String yaml) {
    return catchThrowableOfType(
        InvalidScenarioException.class, () -> ScenarioReader.read("my.yaml", yaml, 1));
  }

  private static Stream<Malformed> malformedForTheSchemaToo() {
    return malformed().stream().filter(Malformed::schemaRefuses);
  }

  private static List<Malformed> malformed() {
    Matcher matcher =
        CASE.matcher(text("malformed-scenarios.txt") + text("malformed-requests.txt"));
    return matcher
        .results()
        .map(
            result ->
                new Malformed(
                    result.group(1),
                    result.group(2).equals("the schema too"),
                    result.group(3),
                    result.group(4).replaceAll("(?m)^>>> ", "").stripTrailing()))
        .toList();
  }

  private static String text(String file) {
    try (InputStream in = MalformedScenarioTest.class.getResourceAsStream(file)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
