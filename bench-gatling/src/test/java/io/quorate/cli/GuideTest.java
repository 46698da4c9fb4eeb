// SPDX-License-Identifier: Apache-2.0
package io.quorate.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.quorate.install.Installation;
import io.quorate.scenario.yaml.ScenarioFiles;
import io.quorate.scenario.yaml.ScenarioOptions;
import io.quorate.scenario.yaml.ScenarioReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
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

  private static final String ELSEWHERE =
      ".*\\$.*|--(endpoints|agents|shard|barrier|baseline|resume|save)";

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

  /** Generated pages are as long as what they list. */
  @Test
  void pages_have_at_most_1500_words() {
    assertThat(Guide.pages())
        .filteredOn(page -> page.startsWith(COMMANDS.getParent().getParent()))
        .filteredOn(page -> !page.equals(COMMANDS) && !page.endsWith("checks.md"))
        .allSatisfy(
            page -> assertThat(Guide.prose(page).split("\\s+")).hasSizeLessThanOrEqualTo(1_500));
  }

  /** A command of the guide, and the line that it is in. */
  private record Command(String place, List<String> words) {}

  private static List<Command> commands() {
    List<Command> commands = new ArrayList<>();
    for (Guide.Block block : Guide.blocks()) {
      if (block.page().equals(COMMANDS) || block.language().matches("yaml|groovy")) {
        continue;
      }
      for (String line : block.text().replaceAll("\\\\\\n\\s*", "").split("\n")) {
        for (Matcher found = COMMAND.matcher(line); found.find(); ) {
          List<String> words = WORD.matcher(found.group(1)).results().map(GuideTest::word).toList();
          if (!words.contains("...") && !line.contains("...:") && isCommand(words.get(0))) {
            commands.add(new Command(block + ": " + line, words));
          }
        }
      }
    }
    return commands;
  }

  @Test
  void every_command_has_these_options() {
    List<String> failures = new ArrayList<>();
    for (Command each : commands()) {
      try {
        commandLine().parseArgs(each.words.toArray(String[]::new));
      } catch (CommandLine.ParameterException wrong) {
        failures.add(each.place + ": " + wrong.getMessage());
      }
    }
    assertThat(failures).isEmpty();
    assertThat(commands()).hasSizeGreaterThan(40);
  }

  @Test
  void every_run_of_a_bundled_scenario_could_begin() {
    List<String> names = ScenarioFiles.names(Guide.HOME.resolve("scenarios"));
    int checked = 0;
    for (Command each : commands()) {
      boolean bundled =
          each.words.size() > 1
              && each.words.get(0).equals("run")
              && (names.contains(each.words.get(1))
                  || ScenarioOptions.isOperations(each.words.get(1)));
      // files, directories and clusters of the guide are not here
      if (bundled && each.words.stream().noneMatch(word -> word.matches(ELSEWHERE))) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        List<String> words = new ArrayList<>(each.words);
        words.set(0, "check");
        int exitCode =
            Quorate.run(
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                Installation.of(System.getenv(), System.getProperties()),
                words.toArray(String[]::new));
        // a program may be missing
        assertThat(exitCode).as(each.place + err).isLessThan(2);
        // this machine may be unable to cause a fault, such as a power cut
        assertThat(err.toString()).as(each.place).matches("(faults: [a-z-]+: .+\\R)?");
        checked++;
      }
    }
    assertThat(checked).isGreaterThan(20);
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
