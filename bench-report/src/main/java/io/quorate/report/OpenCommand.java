// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import io.quorate.QuorateException;
import io.quorate.cli.QuorateCommand;
import io.quorate.results.RunDirectory;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Opens the page of a run in a browser. */
@Command(name = "open", resourceBundle = "io.quorate.report.commands")
public final class OpenCommand extends QuorateCommand implements Callable<Integer> {
  private static final List<String> OPENERS = List.of("xdg-open", "open");

  @Parameters(arity = "0..1", paramLabel = "WORD", descriptionKey = "word")
  private Optional<String> word;

  @Option(names = "--results", paramLabel = "DIR")
  private Optional<Path> results;

  @Override
  public Integer call() {
    RunList all = RunList.read(results.orElse(RunDirectory.allResults(System.getProperties())));
    RunList list = word.map(all::with).orElse(all);
    Path page =
        list.entries().stream()
            .filter(RunList.Entry::page)
            .findFirst()
            .map(entry -> new RunDirectory(entry.path()).page())
            .orElseThrow(
                () ->
                    new QuorateException(
                        "There is no page of a run%s in %s. './quorate run quick' makes one"
                            .formatted(
                                word.map(text -> " of '" + text + "'").orElse(""), all.results())));
    out().println(page.toUri());
    if (!opener(System.getenv("BROWSER"), System.getenv("PATH"))
        .map(it -> opens(it, page))
        .orElse(false)) {
      err().println("no browser was found: open the address above, or set BROWSER");
    }
    return 0;
  }

  /** Returns the program that opens pages; empty if there is none. */
  static Optional<String> opener(String browser, String path) {
    if (browser != null && !browser.isBlank()) {
      return Optional.of(browser);
    }
    return OPENERS.stream()
        .filter(
            name ->
                Stream.of((path == null ? "" : path).split(File.pathSeparator))
                    .filter(directory -> !directory.isEmpty())
                    .anyMatch(directory -> Files.isExecutable(Path.of(directory, name))))
        .findFirst();
  }

  private static boolean opens(String program, Path page) {
    try {
      new ProcessBuilder(program, page.toUri().toString())
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start();
      return true;
    } catch (IOException impossible) {
      return false;
    }
  }
}
