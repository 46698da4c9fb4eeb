// SPDX-License-Identifier: Apache-2.0
package io.quorate.cli;

import io.quorate.format.StrictJson.FormatVersion;
import io.quorate.install.Installation;
import io.quorate.install.Inventory;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.commons.text.WordUtils;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "databases", resourceBundle = "io.quorate.cli.commands")
final class DatabasesCommand extends QuorateCommand implements Runnable {
  private static final String ROW = "%-17s %-10s %-11s %s";
  private static final String INDENT = " ".repeat(18);
  private static final int WIDTH = 80 - INDENT.length();

  private final Installation installation;

  DatabasesCommand(Installation installation) {
    this.installation = installation;
  }

  @Option(names = "--json")
  private boolean json;

  /** The document of {@code --json}. */
  @FormatVersion(1)
  private record Document(List<Row> databases) {}

  private record Row(
      String id,
      boolean installed,
      Optional<String> version,
      String license,
      String origin,
      List<String> details) {}

  @Override
  public void run() {
    if (json) {
      print(
          new Document(
              new Inventory(installation)
                  .entries().stream()
                      .map(
                          each ->
                              new Row(
                                  each.database().id(),
                                  each.installed(),
                                  each.version(),
                                  each.license(),
                                  each.origin(),
                                  each.details()))
                      .toList()));
      return;
    }
    out().println(row("DATABASE", "INSTALLED", "LICENSE", "FROM"));
    for (Inventory.Entry entry : new Inventory(installation).entries()) {
      String installed = entry.installed() ? entry.version().orElse("yes") : "no";
      out().println(row(entry.database(), installed, entry.license(), entry.origin()));
      entry
          .details()
          .forEach(
              detail ->
                  out()
                      .println(
                          INDENT
                              + WordUtils.wrap(
                                  detail, WIDTH, System.lineSeparator() + INDENT, false)));
    }
  }

  private static String row(Object... cells) {
    return String.format(Locale.ROOT, ROW, cells).stripTrailing();
  }
}
