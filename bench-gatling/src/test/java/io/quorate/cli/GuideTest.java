// SPDX-License-Identifier: Apache-2.0
package io.quorate.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.quorate.install.Installation;
import io.quorate.scenario.yaml.ScenarioReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** Links, commands and scenarios of the guide. */
class GuideTest {
  private static final Pattern LINK =
      Pattern.compile("(?m)(?:]\\(|^\\[[^]]+]: )([^)\\s]+)(?:\\)|$)");
  private static final Path COMMANDS =
      Guide.HOME.resolve("src/site/markdown/reference/command-line.md");

  /** A command of Quorate; its words end at a comment, a pipe, or the next command. */
  private static final Pattern COMMAND =
      Pattern.compile("(?:^|[\\s/$])quorate ((?:[^#|>&;'\"]|\"[^\"]*\")+)");

  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");

  @Test
  void links_lead_to_files_and_headings() {
    for (Path page : Guide.pages()) {
      assertThat(LINK.matcher(Guide.prose(page)).results().map(each -> each.group(1)))
          .as(page.toString())
          .filteredOn(link -> !link.matches("[a-z]+:.*"))
          .allSatisfy(
              link -> {
                String[] parts = link.split("#", 2);
                Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
                assertThat(target).exists();
                if (parts.length > 1) {
                  assertThat(Guide.anchors(target)).contains(parts[1]);
                }
              });
    }
  }

  @Test
  void every_page_is_in_the_index() throws IOException {
    Path index = Guide.HOME.resolve("src/site/markdown/index.md");
    String text = Files.readString(index);
    String menu = Files.readString(Guide.HOME.resolve("src/site/site.xml"));

    for (Path page : Guide.pages()) {
      if (page.startsWith(index.getParent()) && !page.equals(index)) {
        String name = index.getParent().relativize(page).toString();
        assertThat(text).contains("](" + name + ")");
        assertThat(menu).contains("href=\"" + name.replace(".md", ".html") + "\"");
      }
    }
  }

  /** Generated pages, and the one of all keys, are as long as what they list. */
  @Test
  void pages_have_at_most_1500_words() {
    assertThat(Guide.pages())
        .filteredOn(page -> page.startsWith(COMMANDS.getParent().getParent()))
        .filteredOn(page -> !page.toString().matches(".*/(command-line|checks|scenario-keys)\\.md"))
        .allSatisfy(
            page -> assertThat(Guide.prose(page).split("\\s+")).hasSizeLessThanOrEqualTo(1_500));
  }

  @Test
  void every_command_has_these_options() {
    List<String> failures = new ArrayList<>();
    int commands = 0;
    for (Guide.Block block : Guide.blocks()) {
      if (block.page().equals(COMMANDS) || block.language().matches("yaml|groovy")) {
        continue;
      }
      for (String line : block.text().replaceAll("\\\\\\n\\s*", "").split("\n")) {
        for (Matcher found = COMMAND.matcher(line); found.find(); ) {
          List<String> words = WORD.matcher(found.group(1)).results().map(GuideTest::word).toList();
          if (words.contains("...") || line.contains("...:") || !isCommand(words.get(0))) {
            continue;
          }
          commands++;
          try {
            commandLine().parseArgs(words.toArray(String[]::new));
          } catch (CommandLine.ParameterException wrong) {
            failures.add(block + ": " + line + ": " + wrong.getMessage());
          }
        }
      }
    }
    assertThat(failures).isEmpty();
    assertThat(commands).isGreaterThan(40);
  }

  private static String word(MatchResult found) {
    return found.group(1) != null ? found.group(1) : found.group(2);
  }

  private static boolean isCommand(String word) {
    return commandLine().getSubcommands().containsKey(word);
  }

  @Test
  void every_complete_scenario_is_valid() {
    assertThat(Guide.scenarios()).hasSizeGreaterThan(5);
    assertThat(Guide.scenarios())
        .allSatisfy(
            block ->
                assertThatCode(() -> read(block)).as(block.toString()).doesNotThrowAnyException())
        .allSatisfy(
            block ->
                assertThat(ScenarioReader.hints("guide.yaml", block.text()))
                    .as(block.toString())
                    .isEmpty());
  }

  private static void read(Guide.Block block) {
    if (block.text().contains("\nmatrix:")) {
      ScenarioReader.readMatrix("guide.yaml", block.text(), 1, List.of(), OptionalInt.empty());
    } else {
      ScenarioReader.read("guide.yaml", block.text(), 1);
    }
  }

  @Test
  void the_page_of_commands_is_the_help_of_the_commands() throws IOException {
    StringBuilder page =
        new StringBuilder(
            """
            # Command line

            `./quorate` in a checkout, `bin/quorate` in a distribution. `mvn gatling:test` accepts the options
            of `run` as properties, such as `-Dagent.keys=DIR` for `--agent-keys DIR`. [Exit codes](exit-codes.md).
            """);
    add(commandLine(), "quorate", page);
    Path generated = Guide.HOME.resolve("bench-gatling/target/command-line.md");
    Files.createDirectories(generated.getParent());
    Files.writeString(generated, page);

    assertThat(Files.readString(COMMANDS))
        .as("copy %s to %s", generated, COMMANDS)
        .isEqualTo(page.toString());
  }

  private static void add(CommandLine command, String name, StringBuilder page) {
    page.append("\n## ").append(name).append("\n\n```text\n");
    page.append(command.getUsageMessage(Ansi.OFF).stripTrailing()).append("\n```\n");
    for (Map.Entry<String, CommandLine> each : command.getSubcommands().entrySet()) {
      add(each.getValue(), name + " " + each.getKey(), page);
    }
  }

  private static CommandLine commandLine() {
    return Quorate.commandLine(Installation.of(Map.of(), new Properties()));
  }
}
