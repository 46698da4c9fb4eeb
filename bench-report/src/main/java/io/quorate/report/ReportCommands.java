// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import io.quorate.cli.CommandProvider;
import io.quorate.report.compare.CompareCommand;
import io.quorate.report.history.HistoryCommand;
import io.quorate.report.study.PredictCommand;
import java.util.List;

/** Provides the commands of this module. */
public final class ReportCommands implements CommandProvider {
  @Override
  public List<Object> commands() {
    return List.of(
        new ReportCommand(),
        new CompareCommand(),
        new HistoryCommand(),
        new PredictCommand(),
        new ListCommand(),
        new OpenCommand(),
        new MergeCommand(),
        new PublishCommand(),
        ImportCommand.commandLine());
  }
}
