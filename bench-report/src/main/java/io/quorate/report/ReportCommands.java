package io.quorate.report;

import io.quorate.cli.CommandProvider;
import java.util.List;

/** Provides the commands of this module. */
public final class ReportCommands implements CommandProvider {
  @Override
  public List<Object> commands() {
    return List.of(
        new ReportCommand(),
        new ListCommand(),
        new OpenCommand(),
        new MergeCommand(),
        ImportCommand.commandLine());
  }
}
