// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.scenario.yaml.InvalidScenarioException;
import io.quorate.scenario.yaml.ScenarioFiles;
import io.quorate.scenario.yaml.ScenarioReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests text that is not what it looks like, as people type or paste it. */
class ScenarioTextTest {
  private static final String GOOD =
      """
      title: Some writes
      operation: write
      requests: 1_000
      keys: {size: 256}
      values: {size: 1024}
      load: {clients: 10}
      databases: [etcd, zookeeper]
      """;

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      value = {
        "\\u202E => \"x\\u202ey\" => U+202E",
        "\\u200B => \"x\\u200by\" => U+200B",
        "\\u00A0 => \"x\\u00a0y\" => U+00A0",
        "\\uD83D => \"x\\ud83dy\" => U+D83D",
      })
  void a_title_has_nothing_that_nobody_sees(String yaml, String shown, String name) {
    refuses(
        GOOD.replace("Some writes", "\"x" + yaml + "y\""),
        "my.yaml:1:8: found '%s', expected one line of text, at most 200 characters, without the character %s"
            .formatted(shown.replace("\"", ""), name));
    refuses(
        GOOD.replace("Some writes", "\"" + yaml + "\""),
        "my.yaml:1:8: found '%s', expected one line of text, at most 200 characters, without the character %s"
            .formatted(shown.replaceAll("[\"xy]", ""), name));
  }

  @Test
  void a_file_name_has_nothing_that_nobody_sees() {
    assertThatThrownBy(() -> ScenarioReader.read("a\u200b.yaml", GOOD, 1))
        .hasMessageStartingWith("a\\u200b.yaml:1:1: found the file name 'a\\u200b.yaml', expected");
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      quoteCharacter = '`',
      value = {
        "members: 2 => 8:10: found 2, expected 1, 3 or 5",
        "members: \"1\" => 8:10: found the text '1', expected 1, 3 or 5",
        "members: true => 8:10: found true, expected 1, 3 or 5",
        "members: 'true' => 8:10: found the text 'true', expected 1, 3 or 5",
        "members: one => 8:10: found 'one', expected 1, 3 or 5",
        "members: \"one\" => 8:10: found 'one', expected 1, 3 or 5",
        "members: \u0663 => 8:10: found '\u0663', expected 1, 3 or 5",
        "seed: 1\u00a0000 => 8:7: found '1\\u00a0000', expected a whole number from 0 to"
            + " 999_999_999_999_999_999, without the character U+00A0",
        "routing: sprea\u0501 => 8:10: found 'sprea\u0501', expected one of spread, leader,"
            + " followers, nearest, non-voter; did you mean 'spread'?",
        "agents: [me:pw@a:1] => 8:10: found an agent with a user name, expected HOST:PORT, such as"
            + " 10.0.0.1:7300",
        "agents: ['me:p,w@a:1'] => 8:10: found an agent with a user name, expected HOST:PORT, such"
            + " as 10.0.0.1:7300",
        "agents: me:pw@a:1 => 8:9: found an agent with a user name, expected a list of 1, 3 or 5"
            + " agents such as [10.0.0.1:7300, 10.0.0.2:7300, 10.0.0.3:7300]",
        "agents: [999.1.1.1:1] => 8:10: found '999.1.1.1:1', expected HOST:PORT, such as"
            + " 10.0.0.1:7300",
      })
  void a_wrong_value_is_shown_as_what_it_is(String line, String message) {
    refuses(GOOD + line + "\n", "my.yaml:" + message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "*best*",
        "&best writes",
        "!important",
        "%x",
        "@home",
        "`x`",
        "|x",
        "> 5 ms",
        "Writes: all"
      })
  void text_that_means_something_in_yaml_has_to_be_put_in_quotes(String title) {
    assertThatThrownBy(() -> ScenarioReader.read("my.yaml", GOOD.replace("Some writes", title), 1))
        .isInstanceOf(InvalidScenarioException.class)
        .hasMessageContaining("; text like this has to be put in quotes")
        .hasMessageStartingWith("my.yaml:1:");
    assertThat(
            ScenarioReader.read("my.yaml", GOOD.replace("Some writes", "'" + title + "'"), 1)
                .heading()
                .title())
        .isEqualTo(title);
  }

  @Test
  void a_tab_may_separate() {
    String tabs =
        GOOD.replace("title: ", "title:\t")
            .replace("requests: 1_000", "requests: \t 1_000\t# a thousand")
            .replace("{size: 256}", "{size:\t256}")
            .replace("[etcd, z", "[etcd,\tz")
            .replace("write\n", "write\t\n");
    Scenario scenario = ScenarioReader.read("my.yaml", tabs, 1);
    assertThat(scenario.heading().title()).isEqualTo("Some writes");
    assertThat(scenario.heading().source()).isEqualTo(tabs);
    assertThat(scenario.databases()).isEqualTo(ScenarioReader.read("my.yaml", GOOD, 1).databases());
  }

  /** Trying each of the tabs as the first one would take minutes, and 25 times as long for this. */
  @ParameterizedTest
  @ValueSource(strings = {"title: a%sx\n", "#%sx\n", "title:%s\n: {"})
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void a_file_of_blanks_is_read_at_once(String line) {
    String text = line.formatted("\t ".repeat(32_000));
    assertThatThrownBy(() -> ScenarioReader.read("my.yaml", text, 1))
        .isInstanceOf(InvalidScenarioException.class)
        .hasMessageContaining("my.yaml:");
  }

  @Test
  void at_most_a_hundred_problems_are_printed() {
    StringBuilder text = new StringBuilder(GOOD);
    for (int i = 0; i < 250; i++) {
      text.append("k").append(i).append(": 1\n");
    }
    assertThatThrownBy(() -> ScenarioReader.read("my.yaml", text.toString(), 1))
        .isInstanceOf(InvalidScenarioException.class)
        .satisfies(
            refused -> {
              assertThat(refused.getMessage().lines()).hasSize(101);
              assertThat(refused.getMessage()).endsWith("\nand 150 more");
              assertThat(((InvalidScenarioException) refused).problems()).hasSize(250);
            });
  }

  @Test
  @Timeout(value = 60, unit = TimeUnit.SECONDS)
  void a_directory_or_a_pipe_is_called_that() throws Exception {
    Path folder = Files.createDirectory(directory.resolve("folder.yaml"));
    Path pipe = directory.resolve("pipe.yaml");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    for (Path each : new Path[] {folder, pipe}) {
      String what = each.equals(folder) ? "a directory" : "a pipe, a socket or a device";
      String expected = "The scenario file " + each + " cannot be read: it is " + what;
      assertThatThrownBy(() -> ScenarioTexts.read(each, 1))
          .isInstanceOf(QuorateException.class)
          .hasMessage(expected);
      assertThatThrownBy(() -> ScenarioFiles.locate(each.toString(), directory, directory))
          .isInstanceOf(QuorateException.class)
          .hasMessage(expected);
    }
  }

  private static void refuses(String yaml, String message) {
    assertThatThrownBy(() -> ScenarioReader.read("my.yaml", yaml, 1))
        .isInstanceOf(InvalidScenarioException.class)
        .hasMessage(message);
  }
}
