package io.quorate.cli;

import java.io.PrintWriter;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "completion",
    description = {
      "Prints a script that lets bash and zsh complete commands, options and the names of"
          + " scenarios.",
      "A distribution has it in completion/quorate.sh."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  . <(./quorate completion)                         for this shell",
      "  ./quorate completion >~/.quorate-completion.sh    and in ~/.bashrc or ~/.zshrc:",
      "  . ~/.quorate-completion.sh"
    })
final class CompletionCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    out.print(script(spec.root().commandLine()));
    out.flush();
  }

  /** Returns the script for all commands; where nothing of them fits, shells complete files. */
  static String script(CommandLine commands) {
    return AutoComplete.bash(commands.getCommandName(), commands);
  }
}
