// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.options;

import io.quorate.QuorateException;
import io.quorate.Spelling;
import io.quorate.VisibleText;
import io.quorate.cli.QuorateCommand;
import io.quorate.format.StrictJson.FormatVersion;
import io.quorate.scenario.yaml.ScenarioFile;
import io.quorate.scenario.yaml.ScenarioFiles;
import io.quorate.scenario.yaml.ScenarioReader;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists the scenarios that come with Quorate. */
@Command(name = "scenarios", resourceBundle = "io.quorate.run.options.commands")
final class ScenariosCommand extends QuorateCommand implements Callable<Integer> {
  @Parameters(arity = "0..1", paramLabel = "WORD", descriptionKey = "word")
  private Optional<String> word;

  @Option(names = "--json")
  private boolean json;

  /** The document of {@code --json}. */
  @FormatVersion(1)
  private record Document(List<Named> scenarios) {}

  private record Named(String name, String title) {}

  @Override
  public Integer call() {
    Path home = Path.of(System.getProperty("quorate.home", "")).toAbsolutePath();
    List<String> names = ScenarioFiles.names(home.resolve("scenarios"));
    Map<String, String> titles = new LinkedHashMap<>();
    for (String name : names) {
      ScenarioFile file = ScenarioFiles.locate(name, home, home);
      ScenarioReader.Heading heading = ScenarioReader.heading(file);
      String text = name + " " + heading.title() + " " + heading.description();
      if (word.isEmpty()
          || text.toLowerCase(Locale.ROOT).contains(word.get().toLowerCase(Locale.ROOT))) {
        titles.put(name, heading.title());
      }
    }
    if (titles.isEmpty()) {
      throw new QuorateException(
          "No scenario contains %s. The nearest names are %s"
              .formatted(
                  VisibleText.quoted(word.orElse("")),
                  String.join(", ", Spelling.nearest(names, word.orElse("")))));
    }
    if (json) {
      print(
          new Document(
              titles.entrySet().stream()
                  .map(each -> new Named(each.getKey(), each.getValue()))
                  .toList()));
      return 0;
    }
    int width = titles.keySet().stream().mapToInt(String::length).max().orElse(1);
    titles.forEach(
        (name, title) ->
            out().println(name + " ".repeat(width - name.length() + 2) + VisibleText.of(title)));
    return 0;
  }
}
