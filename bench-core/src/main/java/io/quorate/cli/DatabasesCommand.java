package io.quorate.cli;

import io.quorate.install.Installation;
import io.quorate.install.Inventory;
import java.io.PrintWriter;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "databases",
    description = "Lists each database: can it be run here, in which version, where from.")
final class DatabasesCommand implements Runnable {
  private static final String ROW = "%-10s %-10s %-9s %s";

  private final Installation installation;

  @Spec private CommandSpec spec;

  DatabasesCommand(Installation installation) {
    this.installation = installation;
  }

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    out.println(String.format(Locale.ROOT, ROW, "DATABASE", "INSTALLED", "VERSION", "FROM"));
    for (Inventory.Entry entry : new Inventory(installation).entries()) {
      out.println(
          String.format(
              Locale.ROOT,
              ROW,
              entry.database(),
              entry.installed() ? "yes" : "no",
              entry.version().orElse("-"),
              entry.origin()));
    }
    out.flush();
  }
}
